import { DevidError } from "./devid-error";
import { maskUrls } from "../mask-urls";
import { maskedViolations, type Violation } from "./masked-violations";

/** The arguments of a call break a documented bound; nothing was sent. */
export class InvalidInputError extends DevidError {
  override readonly name = "InvalidInputError";

  readonly operation: string;
  readonly violations: readonly Violation[];

  constructor(operation: string, violations: readonly Violation[]) {
    const listed = violations
      .map((v) => `\n  ${v.property}: ${v.message}`)
      .join("");
    super(`${operation} was not sent, for its input is invalid:${listed}`);
    this.operation = maskUrls(operation);
    this.violations = maskedViolations(violations);
  }
}
