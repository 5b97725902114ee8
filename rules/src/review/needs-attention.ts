import { isAbsent, type Review } from "./review";
import { failedTests } from "./risk-rules";

/**
 * Whether somebody has to look at a review. With conditions, they alone decide:
 * one of them holds, or cannot be judged. Without any: something differs or
 * could not be compared, the plan does something else or is absent, or an error
 * or a failing test was found; `isStrict` counts warnings, too.
 */
export function needsAttention(
  { conditions, diff, findings, tests, plan }: Review,
  isStrict = false,
): boolean {
  if (conditions.length > 0)
    return conditions.some(({ outcome }) => outcome !== "does not hold");
  return (
    isAbsent(diff) ||
    diff.changes.length > 0 ||
    (plan !== undefined && (isAbsent(plan) || plan.differences.length > 0)) ||
    failedTests(tests) > 0 ||
    findings.some(
      ({ severity }) =>
        severity === "error" || (isStrict && severity === "warning"),
    )
  );
}
