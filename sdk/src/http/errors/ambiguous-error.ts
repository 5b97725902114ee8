import { maskUrls } from "../mask-urls";
import { DevidError } from "./devid-error";

/**
 * A call that must not be repeated blindly was cut off, or failed with 5xx,
 * after it was sent: the service may have carried it out. Look before
 * repeating it.
 */
export class AmbiguousError extends DevidError {
  override readonly name = "AmbiguousError";

  readonly operation: string;
  /** What came instead of a clear answer: a failure's code, or `500 ...`. */
  readonly observed: string;

  constructor(operation: string, observed: string, options?: ErrorOptions) {
    super(
      `${operation} got no clear answer (${observed}): the service may have done it, or not. ` +
        `It was not repeated; look in the workspace before you run it again.`,
      options,
    );
    this.operation = maskUrls(operation);
    this.observed = maskUrls(observed);
  }
}
