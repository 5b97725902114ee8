import type { Expression, Node } from "../syntax/ast";
import { Checker } from "./checker";
import { parseExpression } from "../syntax/parse-expression";
import type { ExpressionProblem } from "../syntax/problem";
import type { ValueType } from "./value-type";

/** An expression whose types are right: evaluating it never meets a wrong type. */
export interface CheckedExpression extends Expression {
  readonly types: ReadonlyMap<Node, ValueType>;
}

/**
 * Parses and type-checks an expression of the rule language: expr-lang 1.17.8
 * with a boolean result, as far as docs/contract.md, "Expression language", and
 * docs/assumptions.md, A38, go. Every mistake that types show is listed, in the
 * order of the source; of mistakes in the grammar, the first.
 */
export function checkExpression(
  source: string,
):
  | { ok: true; expression: CheckedExpression }
  | { ok: false; problems: ExpressionProblem[] } {
  const parsed = parseExpression(source);
  if (!parsed.ok) return { ok: false, problems: [parsed.error] };
  const { types, problems } = new Checker(parsed.expression);
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, expression: { ...parsed.expression, types } };
}
