import { compileExpression } from "../../eval/compile-expression";
import { checkExpression, type RuleRequest } from "../../language";
import { isBothBots } from "../../language/request/bot-flags";
import { coreOf } from "../../core/lower";
import { all, any, matches, not, type Condition } from "../../solver/condition";
import { guessedRequest } from "./guessed-request";
import { EMPTY, type LintedRule, type LintedSet } from "./linted-set";

/**
 * A request for which the corrected expression has another result; undefined if none is
 * found. Both expressions are evaluated on the request.
 * @param made makes the requests to try from a request that meets the rest of the rule
 * @param condition a condition for a search; without it there is no search
 */
export function requestThatDiffers(
  rule: LintedRule,
  corrected: string,
  set: LintedSet,
  made: (around: RuleRequest) => readonly RuleRequest[] = (around) => [around],
  condition?: Condition,
): RuleRequest | undefined {
  const checked = checkExpression(corrected);
  if (!checked.ok) return undefined;
  const { expression } = checked;
  const compiled = compileExpression(expression);
  const differs = (request: RuleRequest) => {
    const result = compiled.evaluate(request);
    const isMatch = "value" in result && result.value;
    return !isBothBots(request) && isMatch !== rule.isMatch(request);
  };
  for (const around of [
    EMPTY,
    guessedRequest(coreOf(rule.expression)),
    guessedRequest(coreOf(expression)),
  ]) {
    const request = made(around).find(differs);
    if (request) return request;
  }
  if (!condition) return undefined;
  const [now, then] = [matches(rule.expression), matches(expression)];
  const found = set.findRequest(
    all(condition, any(all(now, not(then)), all(then, not(now)))),
  );
  return found.answer === "found" ? found.request : undefined;
}
