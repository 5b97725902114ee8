import { RULE_ACTIONS } from "@devid/sdk/wire";
import type { CheckedRule } from "../solver/condition";
import type { Rule } from "../rule-set/rule";
import type { RuleExpressions } from "./rule-expressions";

/**
 * A rule with its expression checked; undefined where it cannot be told what
 * the rule does: the expression has a mistake, or the service knows an action
 * that we do not.
 */
export interface ReadRule {
  readonly rule: Rule;
  readonly expression: CheckedRule["expression"] | undefined;
}

/** Those rules of a set that decide: disabled ones do not. */
export function readEnabled(
  rules: readonly Rule[],
  expressions: RuleExpressions,
): ReadRule[] {
  return rules
    .filter(({ status }) => status === "enabled")
    .map((rule) => ({
      rule,
      expression: RULE_ACTIONS.includes(rule.action)
        ? expressions.checked(rule.expression)
        : undefined,
    }));
}

/** Whether it can be told what a rule does. */
export function isReadable(rule: ReadRule): rule is CheckedRule {
  return rule.expression !== undefined;
}

/** Whether two rules match the same requests, as far as their expressions say the same, and decide them alike. */
export function isSameDecision(one: ReadRule, other: ReadRule): boolean {
  return (
    one.rule.action === other.rule.action &&
    one.expression === other.expression &&
    (isReadable(one) || one.rule.expression === other.rule.expression)
  );
}
