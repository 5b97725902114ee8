import type { CheckedExpression } from "../../language";
import { all, any, matches, not } from "../../solver/condition";
import type { LintedSet } from "./linted-set";

/** Whether it is proven that two expressions match the same requests. */
export function matchSame(
  one: CheckedExpression,
  other: CheckedExpression,
  set: LintedSet,
): boolean {
  return set.isImpossible(
    any(
      all(matches(one), not(matches(other))),
      all(matches(other), not(matches(one))),
    ),
  );
}
