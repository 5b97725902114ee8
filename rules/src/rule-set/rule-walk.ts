import { type PartialResult } from "../eval/compile-expression";
import {
  compileExpression,
  type CompiledExpression,
} from "../eval/compile-expression";
import {
  UNKNOWN,
  type CheckedExpression,
  type PartialRuleRequest,
} from "../language";
import { isKnownRule, type CheckedRule, type Rule } from "./rule";

/**
 * The result of an expression for a request. Rules whose expressions mean the same
 * share one function.
 */
export type Match = (request: PartialRuleRequest) => PartialResult;

/** A rule with its compiled expression. */
export interface MatchingRule {
  readonly rule: Rule;
  readonly match: Match;
}

/**
 * A rule whose match with a request is undetermined, because it depends on unknown
 * parts of the request.
 */
export interface UndeterminedRule extends MatchingRule {
  /** The unknown parts that the match depends on, at least one. */
  readonly unknown: readonly string[];
}

/** The rules that may decide about a request. */
export interface RuleWalk {
  /** In order. The first rule that matches decides. */
  readonly undetermined: readonly UndeterminedRule[];
  /**
   * The rule that decides if no undetermined rule matches. Absent if no rule matches,
   * which allows the request.
   */
  readonly last?: MatchingRule;
}

/**
 * Makes the function that finds the deciding rules of a set for a request with unknown
 * parts. The first rule that matches decides. Disabled rules are skipped, and a rule
 * that fails does not match (docs/contract.md, "Evaluation order"; docs/assumptions.md,
 * A40).
 */
export function ruleWalk(
  rules: readonly MatchingRule[],
): (request: PartialRuleRequest) => RuleWalk {
  const enabled = rules.filter(mayBeEnabled);
  return (request) => {
    const undetermined: UndeterminedRule[] = [];
    const passed = new Set<Match>();
    for (const { rule, match } of enabled) {
      const found = match(request);
      if ("value" in found && found.value)
        return { undetermined, last: { rule, match } };
      // An expression that did not match before does not match here.
      if (!("unknown" in found) || passed.has(match)) continue;
      passed.add(match);
      undetermined.push({ rule, match, unknown: found.unknown });
    }
    return { undetermined };
  };
}

/**
 * Whether a rule may decide, because it is not disabled. This version may not know its
 * status.
 */
export const mayBeEnabled = ({ rule }: MatchingRule): boolean =>
  rule.status !== "disabled";

/**
 * The possible actions of a rule that decides; for an action that this version does not
 * know, both are possible.
 */
export const possibleActions = ({
  action,
}: Rule): readonly ("allow" | "deny")[] =>
  action === "allow" || action === "deny" ? [action] : ["allow", "deny"];

/**
 * The match of a rule, by that of its expression. With an action or status that this
 * version does not know, the result is unknown if the expression may hold.
 */
export function matchOfRule(rule: Rule, match: Match): Match {
  if (isKnownRule(rule)) return match;
  const unknown = [
    `what rule "${rule.name}" does (${rule.action}, ${rule.status})`,
  ];
  return (request) => {
    const found = match(request);
    // A rule that fails does not match.
    if (!("unknown" in found) && !("value" in found && found.value))
      return found;
    return {
      unknown: [...("unknown" in found ? found.unknown : []), ...unknown],
    };
  };
}

/** The decision if no undetermined rule matches. */
export function lastAction({ last }: RuleWalk): "allow" | "deny" {
  return last?.rule.action ?? "allow";
}

/** The decision, if it is the same for all values of the unknown parts. */
export function walkResult(walk: RuleWalk): "allow" | "deny" | "cannot tell" {
  const action = lastAction(walk);
  const isCertain = walk.undetermined.every(
    ({ rule }) => rule.action === action,
  );
  return isCertain ? action : "cannot tell";
}

/** The rules that may decide, in order. */
export function mayDecide({ undetermined, last }: RuleWalk): readonly Rule[] {
  return [...undetermined, ...(last ? [last] : [])].map(({ rule }) => rule);
}

/** The match of an expression. It keeps the result for the last request. */
export function matchOf(expression: CheckedExpression): Match {
  let compiled: CompiledExpression | undefined;
  let last: PartialRuleRequest | undefined;
  let found: PartialResult = { value: false };
  return (request) => {
    if (request !== last) {
      compiled ??= compileExpression(expression);
      found = compiled.evaluatePartly(request);
      last = request;
    }
    return found;
  };
}

/** The decision of a rule set about a request with unknown parts. */
export interface PartialDecision {
  /** `cannot tell`: it depends on the unknown parts. */
  readonly result: "allow" | "deny" | "cannot tell";
  /** Names of the rules that may decide, in order; no match allows, too. */
  readonly mayDecide: readonly string[];
}

/** A request without known parts. A decision about it holds for every request. */
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

/** Compiles a rule set for requests with unknown parts. */
export function decidePartly(
  rules: readonly CheckedRule[],
): (request: PartialRuleRequest) => PartialDecision {
  const walk = ruleWalk(
    rules.map(({ rule, expression }) => ({
      rule,
      match: matchOfRule(rule, matchOf(expression)),
    })),
  );
  return (request) => {
    const walked = walk(request);
    const names = mayDecide(walked).map(({ name }) => name);
    return { result: walkResult(walked), mayDecide: names };
  };
}
