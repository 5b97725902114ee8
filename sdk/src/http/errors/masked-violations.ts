import { maskUrls } from "../mask-urls";
import type { Violation } from "./validation-error";

/** Violations without what may be secret in a URL. */
export function maskedViolations(
  violations: readonly Violation[],
): readonly Violation[] {
  return violations.map(({ property, message }) => ({
    property: maskUrls(property),
    message: maskUrls(message),
  }));
}
