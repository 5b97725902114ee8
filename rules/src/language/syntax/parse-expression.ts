import type { Expression } from "./ast";
import { Parser } from "./parser";
import {
  ExpressionSyntaxError,
  problemAt,
  type ExpressionProblem,
} from "./problem";

/** Parses an expression; its names and types are left to `checkExpression`. */
export function parseExpression(
  source: string,
):
  | { ok: true; expression: Expression }
  | { ok: false; error: ExpressionProblem } {
  try {
    return {
      ok: true,
      expression: { source, root: new Parser(source).parse() },
    };
  } catch (error) {
    if (error instanceof ExpressionSyntaxError)
      return { ok: false, error: problemAt(source, error.span, error.message) };
    if (error instanceof RangeError)
      return {
        ok: false,
        error: problemAt(
          source,
          { offset: 0, length: 0 },
          "this expression is nested too deeply for the stack that is left",
        ),
      };
    throw error;
  }
}
