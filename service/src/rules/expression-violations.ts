import { checkExpression } from "@devid/rules";
import type { Violation } from "../http/answer-error";
import { member } from "../http/violations";

/**
 * Every mistake in the expressions of a body, its own and those of its `rules`
 * (docs/assumptions.md, A35). What is no text or empty is for the schema to refuse.
 */
export function expressionViolations(body: unknown): Violation[] {
  const rules = member(body, "rules");
  return [
    ...mistakes(body, "expression"),
    ...(Array.isArray(rules)
      ? rules.flatMap((rule, index) =>
          mistakes(rule, `rules[${index}].expression`),
        )
      : []),
  ];
}

function mistakes(rule: unknown, property: string): Violation[] {
  const expression = member(rule, "expression");
  if (typeof expression !== "string" || expression.trim() === "") return [];
  const checked = checkExpression(expression);
  if (checked.ok) return [];
  return checked.problems.map(({ line, column, message }) => ({
    property,
    message: `line ${line}, column ${column}: ${message}`,
  }));
}
