import {
  compileExpression,
  UNKNOWN,
  type CheckedExpression,
  type PartialResult,
  type PartialRuleRequest,
} from "../language";
import type { Rule } from "../rule-set/rule";
import type { CheckedRule } from "../solver/condition";

/**
 * What an expression says of a request. Two rules whose expressions mean the
 * same have the same function: they match the same requests.
 */
export type Match = (request: PartialRuleRequest) => PartialResult;

/** A rule and its expression, ready to be evaluated. */
export interface MatchingRule {
  readonly rule: Rule;
  readonly match: Match;
}

/** A rule that matches a request if what is unknown of it is so. */
export interface OpenRule extends MatchingRule {
  /** What would have to be known, at least one part. */
  readonly unknown: readonly string[];
}

/** Which rules may decide about a request. */
export interface RuleWalk {
  /** In order: the first that does match decides. */
  readonly open: readonly OpenRule[];
  /** Decides where none of those does; absent: nothing matches, which allows. */
  readonly last?: MatchingRule;
}

/**
 * Makes the function that walks through a rule set for a request of which parts
 * are unknown. The first rule that matches decides, disabled rules are skipped,
 * and one that fails does not match (docs/contract.md, "Evaluation order";
 * docs/assumptions.md, A40).
 */
export function ruleWalk(
  rules: readonly MatchingRule[],
): (request: PartialRuleRequest) => RuleWalk {
  const enabled = rules.filter(({ rule }) => rule.status === "enabled");
  return (request) => {
    const open: OpenRule[] = [];
    for (const { rule, match } of enabled) {
      const found = match(request);
      if ("value" in found && found.value)
        return { open, last: { rule, match } };
      // What did not match further up does not match here.
      if ("unknown" in found && !open.some((other) => other.match === match))
        open.push({ rule, match, unknown: found.unknown });
    }
    return { open };
  };
}

/** What is decided if none of the open rules matches. */
export function lastAction({ last }: RuleWalk): "allow" | "deny" {
  return last?.rule.action ?? "allow";
}

/** What is decided, whatever the unknown parts are. */
export function walkResult(walk: RuleWalk): "allow" | "deny" | "cannot tell" {
  const action = lastAction(walk);
  const isCertain = walk.open.every(({ rule }) => rule.action === action);
  return isCertain ? action : "cannot tell";
}

/** The rules that may decide, in order. */
export function mayDecide({ open, last }: RuleWalk): readonly Rule[] {
  return [...open, ...(last ? [last] : [])].map(({ rule }) => rule);
}

/** An expression as a match; asked about one request several times, it works that out once. */
export function matchOf(expression: CheckedExpression): Match {
  const compiled = compileExpression(expression);
  let last: PartialRuleRequest | undefined;
  let found: PartialResult = { value: false };
  return (request) => {
    if (request !== last) {
      found = compiled.evaluatePartly(request);
      last = request;
    }
    return found;
  };
}

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
    return { result: walkResult(walked), mayDecide: names };
  };
}
