import {
  compileExpression,
  UNKNOWN,
  type CheckedRule,
  type PartialRuleRequest,
} from "..";

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

/**
 * Compiles a rule set for requests of which parts are unknown. As for any
 * request, the first rule that matches decides, disabled rules are skipped, and
 * one that fails does not match (docs/contract.md, "Evaluation order";
 * docs/assumptions.md, A40).
 */
export function decidePartly(
  rules: readonly CheckedRule[],
): (request: PartialRuleRequest) => PartialDecision {
  const compiled = rules
    .filter(({ rule }) => rule.status === "enabled")
    .map(({ rule, expression }) => ({
      rule,
      expression: compileExpression(expression),
    }));
  return (request) => {
    const actions = new Set<"allow" | "deny">();
    const mayDecide: string[] = [];
    for (const { rule, expression } of compiled) {
      const found = expression.evaluatePartly(request);
      const isOpen = "unknown" in found;
      const matches = "value" in found && found.value;
      if (!isOpen && !matches) continue;
      actions.add(rule.action);
      mayDecide.push(rule.name);
      if (matches) return { result: only(actions), mayDecide };
    }
    return { result: only(actions.add("allow")), mayDecide };
  };
}

function only(actions: ReadonlySet<"allow" | "deny">) {
  const [first, second] = actions;
  return first === undefined || second !== undefined ? "cannot tell" : first;
}
