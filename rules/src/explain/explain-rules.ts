import { allKnown } from "../all-known";
import {
  compileExpression,
  type PartialResult,
} from "../eval/compile-expression";
import {
  childrenOf,
  UNKNOWN,
  type CheckedExpression,
  type PartialRuleRequest,
  type RuleRequest,
} from "../language";
import { printExpression } from "../language/syntax/print-expression";
import { partOfExpression } from "../language/types/check-expression";
import { coreOf } from "../core/lower";
import { partsOf, valueOf } from "../eval/part";
import { decidePartly } from "../rule-set/rule-walk";
import { checkRules, type RefusedRule } from "../rule-set/evaluate-rule-set";
import type { Rule } from "../rule-set/rule";

/** A part of a request that a term reads. `value` is absent if the part was not sent. */
export interface TermRead {
  /** As expressions read it, such as `http.request.headers["Origin"]`. */
  readonly field: string;
  readonly value?: unknown;
}

/**
 * The result of an expression, or of a term that `&&`, `||` or `!` combines. `not
 * evaluated`: an earlier term decided the result. `unknown`: the result depends on
 * unknown parts of the request. If parts of the request are unknown, `false` also
 * stands for a term that fails.
 */
export interface TermTrace {
  readonly term: string;
  readonly outcome: "true" | "false" | "failed" | "unknown" | "not evaluated";
  /** Why it failed. */
  readonly problem?: string;
  /** For a term without operands, or 30 levels down: what it reads. */
  readonly reads?: readonly TermRead[];
  readonly operator?: "&&" | "||" | "!";
  readonly parts?: readonly TermTrace[];
}

/** A rule, whether it matches a request, and why. */
export interface ExplainedRule {
  readonly rule: string;
  readonly action: Rule["action"];
  /** `may match`: the result depends on unknown parts of the request; `skipped`: the rule is disabled. */
  readonly outcome:
    | "matched"
    | "not matched"
    | "may match"
    | "failed"
    | "skipped";
  readonly trace: TermTrace;
}

/** What a rule set decides about a request, and why. */
export interface Explanation {
  /** `cannot tell`: the decision depends on unknown parts of the request. */
  readonly result: "allow" | "deny" | "cannot tell";
  /** The rules that decide, or may decide, in order; none: no rule matches, which allows. */
  readonly mayDecide: readonly string[];
  /** Every rule in order, also those after the one that decides. */
  readonly rules: readonly ExplainedRule[];
}

/**
 * Explains what a rule set decides about a request, which may have unknown parts. Each
 * term is evaluated like a whole expression.
 *
 * @example
 * const userAgent = "Googlebot/2.1";
 * const explained = explainRules(rules, { headers: {}, userAgent, ...botFlags(userAgent) });
 * if ("rules" in explained) console.log(explained.rules[0]?.trace);
 */
export function explainRules(
  rules: readonly Rule[],
  request: PartialRuleRequest,
): Explanation | { readonly refused: readonly RefusedRule[] } {
  const { checked, refused } = checkRules(rules);
  if (refused.length > 0) return { refused };
  return {
    ...decidePartly(checked)(request),
    rules: checked.map(({ rule, expression }) => {
      const { name, action, status } = rule;
      const trace = traceExpression(expression, request);
      const outcome =
        status === "disabled" ? "skipped" : OUTCOMES[trace.outcome];
      return { rule: name, action, outcome, trace };
    }),
  };
}

const OUTCOMES = {
  true: "matched",
  false: "not matched",
  unknown: "may match",
  failed: "failed",
  // A whole expression is always evaluated.
  "not evaluated": "not matched",
} as const;

/**
 * How many levels of terms are traced. Each level holds the text of the levels below it, so
 * without a bound the trace of an expression of 1,000 levels would be 30 MB.
 */
const TRACED_LEVELS = 30;

/**
 * Evaluates an expression and each of its terms that is reached, down to `levels` levels of
 * terms.
 */
export function traceExpression(
  expression: CheckedExpression,
  request: PartialRuleRequest,
  levels = TRACED_LEVELS,
): TermTrace {
  const found = compileExpression(expression).evaluatePartly(request);
  const own = {
    term: printExpression(expression.root),
    outcome: outcomeOf(found),
    ...("error" in found && { problem: found.error.message }),
  };
  const parts = levels > 0 ? operandsOf(expression) : undefined;
  if (!parts) return { ...own, reads: termReads(expression, request) };
  const { operator, terms } = parts;
  let isSettled = false;
  const traces = terms.map((term): TermTrace => {
    if (isSettled)
      return { term: printExpression(term.root), outcome: "not evaluated" };
    const trace = traceExpression(term, request, levels - 1);
    isSettled =
      trace.outcome === "failed" ||
      trace.outcome === (operator === "||" ? "true" : "false");
    return trace;
  });
  return { ...own, operator, parts: traces };
}

function outcomeOf(found: PartialResult): TermTrace["outcome"] {
  if ("unknown" in found) return "unknown";
  if ("error" in found) return "failed";
  return found.value ? "true" : "false";
}

/**
 * The operands of an expression, each as a separate expression; undefined if it has no
 * operands, or if one of them is not boolean.
 */
function operandsOf(expression: CheckedExpression) {
  const { root } = expression;
  if (root.kind !== "logical" && root.kind !== "unary") return undefined;
  const { operator } = root;
  if (operator === "+" || operator === "-") return undefined;
  const terms = allKnown(
    childrenOf(root).map((node) => partOfExpression(expression, node)),
  );
  return terms && { operator, terms };
}

function termReads(
  expression: CheckedExpression,
  request: PartialRuleRequest,
): TermRead[] {
  return partsOf(coreOf(expression)).map((part): TermRead => {
    const { field, name } = part;
    const known = valueOf(request, part);
    const value =
      known === UNKNOWN
        ? "unknown"
        : field.type === "headers" || field.type === "ip"
          ? known
          : // What this field reads is known.
            field.read(request as RuleRequest);
    return { field: name, ...(value !== undefined && { value }) };
  });
}
