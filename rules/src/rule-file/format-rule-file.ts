import { formatExpression } from "../language";
import type { Rule } from "../rule-set/rule";
import { expressionProblem, openRuleFile, type RuleFile } from "./rule-file";
import { RuleFileError, type RuleFileProblem } from "./rule-file-error";
import { applyEdits } from "../language/syntax/text-edit";
import { replaceExpression } from "./yaml-edits";

/**
 * The text of a rule file with every expression as `formatExpression` writes it, a long
 * one in a literal block; all else stays byte for byte. A formatted file does not
 * change.
 * @throws RuleFileError with the place of every expression that does not parse
 */
export function formatRuleFile(file: RuleFile): string {
  const { path, text, document, rules } = file;
  const problems: RuleFileProblem[] = [];
  const formatted = rules.map(({ expression }, index) => {
    const found = formatExpression(expression);
    if (typeof found === "string") return found;
    problems.push(expressionProblem(file, index, found));
    return expression;
  });
  if (problems.length > 0) throw new RuleFileError(path, problems);

  const isDone = ({ expression }: Rule, index: number) =>
    expression.trimEnd() === formatted[index];
  const edits = formatted.flatMap((expression, index) => {
    const rule = rules[index];
    return rule && isDone(rule, index)
      ? []
      : replaceExpression(text, document, index, expression);
  });
  const result = applyEdits(text, edits);
  const missed = openRuleFile(result, path).rules.findIndex(
    (rule, index) => !isDone(rule, index),
  );
  if (missed === -1) return result;
  const { line, column, end } = file.placeOf(["rules", missed, "expression"]);
  const message = `rule "${rules[missed]?.name}" cannot be formatted where it stands; format it by hand`;
  throw new RuleFileError(path, [{ line, column, end, message }]);
}
