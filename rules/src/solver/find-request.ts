import { assertNever } from "../assert-never";
import { Budget } from "../budget";
import { childrenFirst } from "../children-first";
import type { CheckedExpression, RuleRequest } from "../language";
import { partsOfCondition, type Condition, meetsCondition } from "./condition";
import {
  evaluateSymbolically,
  type SymbolicResult,
} from "./evaluate-symbolically";
import { and, type Formula, NEVER, or } from "./formula";
import { Search } from "./search";

/** Whether any request meets a condition. `found` and `none` are both certain. */
export type FoundRequest =
  /** This request does: it is a witness, on which the condition was evaluated. */
  | { readonly answer: "found"; readonly request: RuleRequest }
  /** No request does: that is proven. */
  | { readonly answer: "none" }
  /** No witness was found, and it is not proven that there is none. */
  | { readonly answer: "cannot tell" };

/** Time limit of one search, in milliseconds. */
const SEARCH_MS = 250;

/** Time limit where the caller has none, in milliseconds. */
const DEFAULT_WITHIN_MS = 10_000;

/**
 * Looks for a request that meets a condition. The condition becomes a formula
 * over the values that a request can hold, and a search looks for values that
 * satisfy it. Where the budget is spent on the way, the answer is "cannot tell".
 */
export function findRequest(
  condition: Condition,
  budget = new Budget(DEFAULT_WITHIN_MS),
): FoundRequest {
  const found = budget.attempt(() => {
    const formula = conditionFormula(condition, budget);
    const search = budget.part(SEARCH_MS);
    return new Search(search).find(formula, (request) =>
      meetsCondition(condition, request, search),
    );
  });
  if (found === "none") return { answer: "none" };
  return found === undefined || found === "gave up"
    ? { answer: "cannot tell" }
    : { answer: "found", request: found };
}

/** The formula that holds for the same requests as a condition. */
function conditionFormula(condition: Condition, budget: Budget): Formula {
  const formulas = new Map<Condition, Formula>();
  const of = (one: Condition) => formulas.get(one) ?? NEVER;
  // A rule that is in both of two sets becomes the same formula.
  const results = new Map<string, SymbolicResult>();
  const resultOf = (expression: CheckedExpression) => {
    const { source, root } = expression;
    // The root may be a part of the source.
    const key = `${root.span.offset} ${root.span.length} ${source}`;
    const result = results.get(key) ?? evaluateSymbolically(expression, budget);
    results.set(key, result);
    return result;
  };
  for (const one of childrenFirst(condition, partsOfCondition)) {
    budget.spend(WORK_OF_CONDITION);
    formulas.set(one, formulaOf(one, of, resultOf));
  }
  return of(condition);
}

/** The work of making the formula of a condition of its parts, in units of a budget. */
const WORK_OF_CONDITION = 5;

function formulaOf(
  condition: Condition,
  of: (one: Condition) => Formula,
  resultOf: (expression: CheckedExpression) => SymbolicResult,
): Formula {
  switch (condition.kind) {
    case "evaluates": {
      const { isTrue, isFalse, isDefined } = resultOf(condition.expression);
      return condition.to === undefined
        ? isDefined.opposite
        : condition.to
          ? isTrue
          : isFalse;
    }
    case "all":
      return and(...condition.of.map(of));
    case "any":
      return or(...condition.of.map(of));
    case "not":
      return of(condition.of).opposite;
    default:
      return assertNever(condition);
  }
}
