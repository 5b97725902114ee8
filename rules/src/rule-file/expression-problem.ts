import type { ExpressionProblem } from "../language";
import type { RuleFile } from "./open-rule-file";
import type { RuleFileProblem } from "./rule-file-error";

/** A mistake in the expression of a file's rule, at its place in the file. */
export function expressionProblem(
  { rules, placeInExpression }: Pick<RuleFile, "rules" | "placeInExpression">,
  ruleIndex: number,
  { offset, message }: ExpressionProblem,
): RuleFileProblem {
  const { line, column } = placeInExpression(ruleIndex, offset);
  return {
    line,
    column,
    message: `rule "${rules[ruleIndex]?.name}": ${message}`,
  };
}
