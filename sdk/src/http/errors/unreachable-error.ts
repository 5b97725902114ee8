import { maskUrls } from "../mask-urls";
import { DevidError } from "./devid-error";

/** No answer came: the connection failed, or timed out, for as long as retries were allowed. */
export class UnreachableError extends DevidError {
  override readonly name = "UnreachableError";

  readonly operation: string;

  constructor(
    operation: string,
    readonly origin: string,
    /** Code of the last failure, such as `ECONNREFUSED`. */
    readonly code: string,
    readonly attempts: number,
    options?: ErrorOptions,
  ) {
    super(
      `${operation} failed: ${origin} could not be reached (${code}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}). ` +
        `Check the configured endpoint and the network; it can be run again safely.`,
      options,
    );
    this.operation = maskUrls(operation);
  }
}
