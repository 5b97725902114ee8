import { compileExpression } from "../eval/compile-expression";
import { type CheckedExpression, type RuleRequest } from "../language";
import { onceFor } from "../once-for";
import type { CheckedRule, Rule } from "../rule-set/rule";

/** A statement about one request. Conditions never change, and two of them may share parts. */
export type Condition =
  | {
      readonly kind: "evaluates";
      readonly expression: CheckedExpression;
      /** The required result; undefined if the evaluation has to fail. */
      readonly to: boolean | undefined;
    }
  | { readonly kind: "all"; readonly of: readonly Condition[] }
  | { readonly kind: "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition };

/** Holds for the requests for which an expression is true. */
export const matches = onceFor((expression: CheckedExpression): Condition => ({
  kind: "evaluates",
  expression,
  to: true,
}));

/** Holds for the requests for which an expression is false or fails. */
const misses = onceFor((expression: CheckedExpression) =>
  not(matches(expression)),
);

/** Holds for the requests for which the evaluation of an expression fails. */
export function fails(expression: CheckedExpression): Condition {
  return { kind: "evaluates", expression, to: undefined };
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
  if (condition.kind === "evaluates") return [];
  return condition.kind === "not" ? [condition.of] : condition.of;
}

/** Holds for the requests that an ordered rule set lets through; all others are denied. Disabled rules are skipped. */
export function allows(rules: readonly CheckedRule[]): Condition {
  const runs: { action: Rule["action"]; of: Condition[] }[] = [];
  for (const { rule, expression } of enabled(rules)) {
    const one =
      rule.action === "allow" ? matches(expression) : misses(expression);
    const run = runs.at(-1);
    // Consecutive rules with the same action become one condition, because separate
    // conditions would be nested in each other.
    if (run && run.action === rule.action) run.of.push(one);
    else runs.push({ action: rule.action, of: [one] });
  }
  return runs.reduceRight<Condition>(
    (rest, { action, of }) =>
      action === "allow" ? any(...of, rest) : all(...of, rest),
    all(),
  );
}

/** Holds for the requests that no rule of a set matches. */
export function noneMatches(rules: readonly CheckedRule[]): Condition {
  return all(...enabled(rules).map(({ expression }) => misses(expression)));
}

const enabled = (rules: readonly CheckedRule[]) =>
  rules.filter(({ rule }) => rule.status === "enabled");

/**
 * Whether a request meets a condition: evaluates its expressions until the result
 * is certain.
 */
export function meetsCondition(
  condition: Condition,
  request: RuleRequest,
): boolean {
  for (let one = condition; ;) {
    if (one.kind === "evaluates") {
      const { expression, to } = one;
      return resultOf(expression, request) === to;
    }
    if (one.kind === "not") return !meetsCondition(one.of, request);
    const decides = one.kind === "any";
    const last = one.of.at(-1);
    if (!last) return !decides;
    for (let i = 0; i < one.of.length - 1; i++) {
      const part = one.of[i];
      if (part && meetsCondition(part, request) === decides) return decides;
    }
    // The condition of a rule set is a long chain: going on in this loop keeps it off the stack.
    one = last;
  }
}

/** The result of an expression for a request; undefined if it fails. */
function resultOf(
  expression: CheckedExpression,
  request: RuleRequest,
): boolean | undefined {
  const result = compileExpression(expression).evaluate(request);
  return "value" in result ? result.value : undefined;
}
