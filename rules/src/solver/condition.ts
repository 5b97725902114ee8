import { assertNever } from "../assert-never";
import {
  type CheckedExpression,
  type CompiledExpression,
  compileExpression,
  type RuleRequest,
} from "../language";
import type { Rule } from "../rule-set/rule";

/** A statement about one request. Conditions never change, and two of them may share parts. */
export type Condition =
  | {
      readonly kind: "evaluates";
      readonly expression: CheckedExpression;
      /** The result that the condition asks for. An expression that fails has neither. */
      readonly to: boolean;
    }
  | { readonly kind: "all"; readonly of: readonly Condition[] }
  | { readonly kind: "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition };

/** Holds for the requests for which an expression is true. */
export function matches(expression: CheckedExpression): Condition {
  return { kind: "evaluates", expression, to: true };
}

/** Holds for the requests for which an expression is neither true nor false: its evaluation fails. */
export function fails(expression: CheckedExpression): Condition {
  const isFalse: Condition = { kind: "evaluates", expression, to: false };
  return not(any(matches(expression), isFalse));
}

/** Holds where all conditions hold. Without any condition, it holds for every request. */
export function all(...of: Condition[]): Condition {
  return { kind: "all", of };
}

/** Holds where at least one condition holds. Without any condition, it holds for no request. */
export function any(...of: Condition[]): Condition {
  return { kind: "any", of };
}

/** Holds where a condition does not. */
export function not(of: Condition): Condition {
  return { kind: "not", of };
}

/** The conditions that a condition directly consists of. */
export function partsOfCondition(condition: Condition): readonly Condition[] {
  switch (condition.kind) {
    case "evaluates":
      return [];
    case "all":
    case "any":
      return condition.of;
    case "not":
      return [condition.of];
    default:
      return assertNever(condition);
  }
}

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
export function noneMatches(rules: readonly CheckedRule[]): Condition {
  return all(
    ...enabled(rules).map(({ expression }) => not(matches(expression))),
  );
}

const enabled = (rules: readonly CheckedRule[]) =>
  rules.filter(({ rule }) => rule.status === "enabled");

const compiled = new WeakMap<CheckedExpression, CompiledExpression>();

/** Whether a request meets a condition: evaluates its expressions until the result is certain. */
export function meetsCondition(
  condition: Condition,
  request: RuleRequest,
): boolean {
  for (let one = condition; ;) {
    if (one.kind === "evaluates") {
      const result = evaluate(one.expression, request);
      return "value" in result && result.value === one.to;
    }
    if (one.kind === "not") return !meetsCondition(one.of, request);
    const decides = one.kind === "any";
    const last = one.of.at(-1);
    if (!last) return !decides;
    for (const part of one.of.slice(0, -1))
      if (meetsCondition(part, request) === decides) return decides;
    // The condition of a rule set is a long chain: going on in this loop keeps it off the stack.
    one = last;
  }
}

function evaluate(expression: CheckedExpression, request: RuleRequest) {
  const known = compiled.get(expression);
  const made = known ?? compileExpression(expression);
  if (!known) compiled.set(expression, made);
  return made.evaluate(request);
}
