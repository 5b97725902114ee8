import {
  type CompiledExpression,
  compileExpression,
} from "../eval/compile-expression";
import {
  checkExpression,
  type ExpressionProblem,
  type RuleRequest,
} from "../language";
import { withBotFlags } from "../language/request/bot-flags";
import type { CheckedRule, Rule } from "./rule";

/** The outcome of one rule. `failed`: its evaluation had an error, so it does not match. */
export interface RuleTrace {
  readonly rule: string;
  readonly outcome: "matched" | "not matched" | "skipped" | "failed";
  readonly problem?: ExpressionProblem;
}

/** What a rule set decides about a request. */
export interface RuleSetDecision {
  readonly result: "allow" | "deny";
  /** The rule that decided; absent if none matched, which allows. */
  readonly decidedBy?: Rule;
  /** Every rule up to the one that decided, in order. */
  readonly trace: readonly RuleTrace[];
}

/** A rule whose expression cannot be evaluated at all. */
export interface RefusedRule {
  readonly rule: Rule;
  /** Place of the rule in the set, from 0. */
  readonly index: number;
  readonly problems: readonly ExpressionProblem[];
}

/** Checks the expression of each rule. */
export function checkRules(rules: readonly Rule[]): {
  readonly checked: readonly CheckedRule[];
  readonly refused: readonly RefusedRule[];
} {
  const checked: CheckedRule[] = [];
  const refused: RefusedRule[] = [];
  rules.forEach((rule, index) => {
    const found = checkExpression(rule.expression);
    if (found.ok) checked.push({ rule, expression: found.expression });
    else refused.push({ rule, index, problems: found.problems });
  });
  return { checked, refused };
}

/** An ordered rule set, compiled once to be evaluated often. */
export type CompiledRuleSet =
  | {
      readonly ok: true;
      readonly evaluate: (request: RuleRequest) => RuleSetDecision;
    }
  | { readonly ok: false; readonly refused: readonly RefusedRule[] };

/**
 * Compiles a rule set. The first rule that matches decides, and no match allows;
 * disabled rules are skipped; a rule whose evaluation fails does not match
 * (docs/contract.md, "Evaluation order"; docs/assumptions.md, A40).
 */
export function compileRuleSet(rules: readonly Rule[]): CompiledRuleSet {
  const { checked, refused } = checkRules(rules);
  if (refused.length > 0) return { ok: false, refused };
  const compiled = checked.map(({ rule, expression }) => ({
    rule,
    expression: compileExpression(expression),
  }));
  return {
    ok: true,
    evaluate: (request) => {
      const seen = withBotFlags(request);
      const trace: RuleTrace[] = [];
      for (const { rule, expression } of compiled) {
        const step = stepOf(rule, expression, seen);
        trace.push(step);
        if (step.outcome === "matched")
          return { result: rule.action, decidedBy: rule, trace };
      }
      return { result: "allow", trace };
    },
  };
}

function stepOf(
  { name, status }: Rule,
  expression: CompiledExpression,
  request: RuleRequest,
): RuleTrace {
  if (status === "disabled") return { rule: name, outcome: "skipped" };
  const found = expression.evaluate(request);
  if ("error" in found)
    return { rule: name, outcome: "failed", problem: found.error };
  return { rule: name, outcome: found.value ? "matched" : "not matched" };
}
