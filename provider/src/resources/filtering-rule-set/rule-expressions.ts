import type { Rule } from "@devid/rules";
import { checkExpression, codeFrame } from "@devid/rules/language";
import type { CheckFailure } from "../../definition/define-resource";
import type { RuleSetState } from "./rule-set-state";

/**
 * What is wrong with the expressions of a rule set: the property, the message and
 * the marked place of each mistake. An unknown expression has none. Of a secret
 * expression only the place is shown.
 */
export function expressionFailures(
  rules: readonly Rule[] | RuleSetState,
  { isSecret = false } = {},
): CheckFailure[] {
  const isOrdered = Array.isArray(rules);
  return Object.entries(rules).flatMap(([key, rule]) => {
    const { expression } = rule as { readonly expression?: unknown };
    if (typeof expression !== "string") return [];
    const checked = checkExpression(expression);
    if (checked.ok) return [];
    const at = isOrdered ? `[${key}]` : `["${key}"]`;
    return checked.problems.map((problem) => ({
      property: `rules${at}.expression`,
      reason: isSecret
        ? `has a mistake at line ${problem.line}, column ${problem.column}; it is a secret and not shown here`
        : `${problem.message}\n${codeFrame(expression, problem)}`,
    }));
  });
}

/** A failure for each known name that an earlier rule has, too. */
export function repeatedNames(rules: readonly unknown[]): CheckFailure[] {
  const seen = new Set<string>();
  return rules.flatMap((rule, index) => {
    const { name } = (rule ?? {}) as { readonly name?: unknown };
    if (typeof name !== "string") return [];
    if (!seen.has(name)) return (seen.add(name), []);
    const reason =
      "is also the name of another rule; names must be unique in a set";
    return [{ property: `rules[${index}].name`, reason }];
  });
}
