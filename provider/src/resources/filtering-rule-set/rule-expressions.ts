import type { Rule } from "@devid/sdk";
import { checkExpression, codeFrame } from "@devid/sdk/rules/expression";
import type { CheckFailure } from "../../definition/define-resource";
import type { RuleSetState } from "./rule-set-state";

/** What is wrong with the expressions of a rule set, each at its property and with the place marked. */
export function expressionFailures(
  rules: readonly Rule[] | RuleSetState,
): CheckFailure[] {
  const isOrdered = Array.isArray(rules);
  return Object.entries<Pick<Rule, "expression">>(rules).flatMap(
    ([key, { expression }]) => {
      const checked = checkExpression(expression);
      if (checked.ok) return [];
      const at = isOrdered ? `[${key}]` : `["${key}"]`;
      return checked.problems.map((problem) => ({
        property: `rules${at}.expression`,
        reason: `${problem.message}\n${codeFrame(expression, problem)}`,
      }));
    },
  );
}
