import { UNKNOWN, type PartialRuleRequest } from "../language";
import type { CheckedRule } from "../solver/condition";
import { matchOf, mayDecide, resultOf, ruleWalk } from "./rule-walk";

/** What a rule set decides about a request of which parts are unknown. */
export interface PartialDecision {
  /** `cannot tell`: it depends on what is unknown. */
  readonly result: "allow" | "deny" | "cannot tell";
  /** Names of the rules that may decide, in order; no match allows, too. */
  readonly mayDecide: readonly string[];
}

/** A request of which nothing is known: what is decided about it is decided about every request. */
export const ANY_REQUEST: PartialRuleRequest = {
  headers: UNKNOWN,
  otherHeaders: "unknown",
  ip: UNKNOWN,
  userAgent: UNKNOWN,
  isAiBot: UNKNOWN,
  isCrawlerBot: UNKNOWN,
  sdkPlatform: UNKNOWN,
  sdkVersion: UNKNOWN,
  appPackageName: UNKNOWN,
};

/** Compiles a rule set for requests of which parts are unknown. */
export function decidePartly(
  rules: readonly CheckedRule[],
): (request: PartialRuleRequest) => PartialDecision {
  const walk = ruleWalk(
    rules.map(({ rule, expression }) => ({ rule, match: matchOf(expression) })),
  );
  return (request) => {
    const walked = walk(request);
    const names = mayDecide(walked).map(({ name }) => name);
    return { result: resultOf(walked), mayDecide: names };
  };
}
