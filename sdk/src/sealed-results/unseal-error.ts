import { DevidError } from "../http/errors";

/** A sealed result cannot be opened; the message tells why, and holds nothing of it nor of a key. */
export class UnsealError extends DevidError {
  override readonly name = "UnsealError";

  constructor(problem: string, options?: ErrorOptions) {
    super(`Opening a sealed result failed: ${problem}`, options);
  }
}
