import type fc from "fast-check";
import { expect } from "vitest";
import { compileExpression } from "../../../rules/src/eval/compile-expression";
import {
  checkExpression,
  type CheckedExpression,
  type RuleRequest,
} from "../../../rules/src/language";

/** A checked expression. A mistake in it fails the test. */
export function checked(source: string): CheckedExpression {
  const found = checkExpression(source);
  return found.ok
    ? found.expression
    : expect.fail(`${source}: ${found.problems[0]?.message}`);
}

/** A checked expression; undefined if it has a mistake. */
export function checkedIfRight(source: string): CheckedExpression | undefined {
  const found = checkExpression(source);
  return found.ok ? found.expression : undefined;
}

/** The compiled form of an expression; undefined if it has a mistake. */
export function compiledIfRight(source: string) {
  const expression = checkedIfRight(source);
  return expression && compileExpression(expression);
}

/** Those of generated expressions that have no mistake. */
export const checkedOf = (
  sources: fc.Arbitrary<string>,
): fc.Arbitrary<CheckedExpression> =>
  sources.filter((source) => checkExpression(source).ok).map(checked);

/** What a right expression is for a request: its value, or that it fails. */
export function resultFor(
  of: string | CheckedExpression,
  request: RuleRequest,
): boolean | "fails" {
  const expression = typeof of === "string" ? checked(of) : of;
  const result = compileExpression(expression).evaluate(request);
  return "error" in result ? "fails" : result.value;
}

/** The value of an expression for a request, or the first message of the checker or the evaluation. */
export function answer(
  source: string,
  request: RuleRequest = { headers: {} },
): boolean | string {
  const found = checkExpression(source);
  if (!found.ok) return found.problems[0]?.message ?? "";
  const result = compileExpression(found.expression).evaluate(request);
  return "error" in result ? result.error.message : result.value;
}
