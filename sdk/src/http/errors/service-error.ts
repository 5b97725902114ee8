import { maskUrls } from "../mask-urls";
import { DevidError } from "./devid-error";

/** What a service error is made of; the text is already free of secrets. */
export interface ServiceErrorDetails {
  /** What was being done, to what: `Creating webhook https://a.example/hook`. */
  readonly operation: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** `error.code` of the answer, an opaque string; absent where the body had none. */
  readonly code?: string;
  /** `error.message` of the answer, or the status text. */
  readonly detail: string;
  /** What the reader can do next. */
  readonly hint?: string;
}

/** The service answered with an error that no narrower class describes. */
export class ServiceError extends DevidError {
  override readonly name: string = "ServiceError";
  readonly operation: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly detail: string;

  constructor(details: ServiceErrorDetails) {
    const code = details.code ? ` ${details.code}` : "";
    const hint = details.hint ? ` ${details.hint}` : "";
    super(
      `${details.operation} failed: ${details.status}${code}: ${details.detail}.`.replace(
        /([.!?])\.$/,
        "$1",
      ) + hint,
    );
    this.operation = maskUrls(details.operation);
    this.status = details.status;
    this.code = details.code && maskUrls(details.code);
    this.detail = maskUrls(details.detail);
  }
}
