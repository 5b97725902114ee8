import type { Budget } from "../budget";
import {
  compileExpression,
  UNKNOWN,
  type CheckedExpression,
  type CompiledExpression,
  type PartialResult,
  type PartialRuleRequest,
} from "../language";
import { isKnownRule, type Rule } from "../rule-set/rule";
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

/** A rule that may match a request: it depends on parts of the request that are unknown. */
export interface OpenRule extends MatchingRule {
  /** The unknown parts that it depends on, at least one. */
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
 * @param budget what the work of walking is taken from; left out, there is no limit.
 * The function throws `BudgetSpentError`.
 */
export function ruleWalk(
  rules: readonly MatchingRule[],
  budget?: Budget,
): (request: PartialRuleRequest) => RuleWalk {
  const enabled = rules.filter(mayBeEnabled);
  return (request) => {
    const open: OpenRule[] = [];
    const passed = new Set<Match>();
    for (const { rule, match } of enabled) {
      budget?.spend(WORK_OF_MATCH);
      const found = match(request);
      if ("value" in found && found.value)
        return { open, last: { rule, match } };
      // What did not match further up does not match here.
      if (!("unknown" in found) || passed.has(match)) continue;
      passed.add(match);
      open.push({ rule, match, unknown: found.unknown });
    }
    return { open };
  };
}

/** Whether a rule may decide: all but the disabled ones, a status that this version does not know included. */
export const mayBeEnabled = ({ rule }: MatchingRule): boolean =>
  rule.status !== "disabled";

/** What a rule may do with a request that it decides about; of an action that this version does not know, both are possible. */
export const possibleActions = ({
  action,
}: Rule): readonly ("allow" | "deny")[] =>
  action === "allow" || action === "deny" ? [action] : ["allow", "deny"];

/**
 * The match of a rule whose action or status this version does not know: where its
 * expression may hold, nobody can tell what the rule does.
 */
export function uncertainMatch(rule: Rule, match: Match): Match {
  const unknown = [
    `what rule "${rule.name}" does (${rule.action}, ${rule.status})`,
  ];
  return (request) => {
    const found = match(request);
    if ("value" in found && !found.value) return found;
    return {
      unknown: [...("unknown" in found ? found.unknown : []), ...unknown],
    };
  };
}

/** The work of asking a rule, besides that of its expression, in units of a budget. */
const WORK_OF_MATCH = 2;
/** The work of evaluating a node of which parts may be unknown. */
const WORK_OF_NODE = 3;
/** The work of compiling a node and evaluating it for the first time. */
const WORK_OF_COMPILING = 30;

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
export function matchOf(expression: CheckedExpression, budget?: Budget): Match {
  const nodes = expression.types.size;
  let compiled: CompiledExpression | undefined;
  let last: PartialRuleRequest | undefined;
  let found: PartialResult = { value: false };
  return (request) => {
    if (request !== last) {
      budget?.spend(nodes * (compiled ? WORK_OF_NODE : WORK_OF_COMPILING));
      compiled ??= compileExpression(expression);
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
    rules.map(({ rule, expression }) => {
      const match = matchOf(expression);
      const isKnown = isKnownRule(rule);
      return { rule, match: isKnown ? match : uncertainMatch(rule, match) };
    }),
  );
  return (request) => {
    const walked = walk(request);
    const names = mayDecide(walked).map(({ name }) => name);
    return { result: walkResult(walked), mayDecide: names };
  };
}
