import {
  checkExpression,
  compileExpression,
  type RuleRequest,
} from "../../language";
import { coreOf } from "../../core/lower";
import { all, any, matches, not, type Condition } from "../../solver/condition";
import { guessedRequest } from "./guessed-request";
import type { LintedRule, LintedSet } from "./linted-set";

/** The work of compiling a node of the corrected expression and of evaluating it, in units of a budget. */
const WORK_OF_PROOF = 10;

/**
 * A request of which a rule says something else once its expression is corrected;
 * undefined where none is found. Both expressions are evaluated on it.
 * @param made the requests that are tried, made of one with what else the rule asks for
 * @param condition holds for the requests that a search may answer; without it there is no search
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
  set.budget.spend(WORK_OF_PROOF * rule.nodes.length);
  const compiled = compileExpression(expression);
  const differs = (request: RuleRequest) => {
    const result = compiled.evaluate(request);
    const isMatch = "value" in result && result.value;
    return isMatch !== rule.isMatch(request);
  };
  for (const around of [
    NOTHING,
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

const NOTHING: RuleRequest = { headers: {} };
