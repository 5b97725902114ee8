import { maskedViolations, type Violation } from "./masked-violations";
import { ServiceError, type ServiceErrorDetails } from "./service-error";

/** 400: the service refused the request; `violations` name the properties where it said which. */
export class ValidationError extends ServiceError {
  override readonly name = "ValidationError";
  readonly violations: readonly Violation[];

  readonly #details: ServiceErrorDetails;

  constructor(
    details: ServiceErrorDetails & {
      readonly violations: readonly Violation[];
    },
  ) {
    const { violations, ...own } = details;
    const listed = violations
      .map((v) => `\n  ${v.property}: ${v.message}`)
      .join("");
    super({ ...own, detail: own.detail + listed });
    this.#details = own;
    this.violations = maskedViolations(violations);
  }

  /** The same error with properties under other names. */
  renamed(rename: (property: string) => string): ValidationError {
    return new ValidationError({
      ...this.#details,
      violations: this.violations.map((violation) => ({
        ...violation,
        property: rename(violation.property),
      })),
    });
  }
}
