import type { CheckedExpression } from "../language";
import type { Rule } from "../rule";
import { all, any, matches, not, type Condition } from "./condition";

/** A rule whose expression was checked. */
export interface CheckedRule {
  readonly rule: Rule;
  readonly expression: CheckedExpression;
}

/** Holds for the requests that an ordered rule set lets through; all others are denied. Disabled rules are skipped. */
export function allows(rules: readonly CheckedRule[]): Condition {
  return enabled(rules).reduceRight<Condition>(
    (rest, { rule, expression }) =>
      rule.action === "allow"
        ? any(matches(expression), rest)
        : all(not(matches(expression)), rest),
    all(),
  );
}

/** Holds for the requests that no rule of a set matches. */
export function passes(rules: readonly CheckedRule[]): Condition {
  return all(
    ...enabled(rules).map(({ expression }) => not(matches(expression))),
  );
}

const enabled = (rules: readonly CheckedRule[]) =>
  rules.filter(({ rule }) => rule.status === "enabled");
