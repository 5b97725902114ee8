import { maskUrls } from "../mask-urls";

/** One refused property: its path as the service names it (`rules[2].expression`), and why. */
export interface Violation {
  readonly property: string;
  readonly message: string;
}

/** Violations without what may be secret in a URL. */
export function maskedViolations(
  violations: readonly Violation[],
): readonly Violation[] {
  return violations.map(({ property, message }) => ({
    property: maskUrls(property),
    message: maskUrls(message),
  }));
}
