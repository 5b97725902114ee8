import { assertNever } from "../assert-never";
import { childrenFirst } from "../children-first";
import type { CheckedExpression } from "../language";
import { keptIn } from "../keeping-results";
import type { TimeLimit } from "../time-limit";
import { partsOfCondition, type Condition, meetsCondition } from "./condition";
import {
  evaluateSymbolically,
  type SymbolicResult,
} from "./evaluate-symbolically";
import { and, type Formula, NEVER, or } from "./formula";
import { Search, type FoundRequest } from "./search";
import { OutOfStepsError, StepLimit } from "./step-limit";

export type { FoundRequest };

/** Most steps of one search: about 200 ms. */
const MAX_STEPS = 2_000_000;

/**
 * Looks for a request that meets a condition. The condition becomes a formula over the
 * values that a request can hold, and a search looks for values that satisfy it. Once
 * its steps are taken, or if the time is over before it begins, the answer is "cannot
 * tell".
 */
export function findRequest(
  condition: Condition,
  time?: TimeLimit,
): FoundRequest {
  if (time?.isOver) return { answer: "cannot tell" };
  try {
    return new Search(new StepLimit(MAX_STEPS)).find(
      conditionFormula(condition),
      (request) => meetsCondition(condition, request),
    );
  } catch (error) {
    if (error instanceof OutOfStepsError) return { answer: "cannot tell" };
    throw error;
  }
}

/** The formula that holds for the same requests as a condition. */
function conditionFormula(condition: Condition): Formula {
  const formulas = new Map<Condition, Formula>();
  const of = (one: Condition) => formulas.get(one) ?? NEVER;
  // A rule that is in both of two sets becomes the same formula.
  const results = new Map<string, SymbolicResult>();
  const resultOf = (expression: CheckedExpression) => {
    const { source, root } = expression;
    // The root may be a part of the source.
    const key = `${root.span.offset} ${root.span.length} ${source}`;
    return keptIn(results, key, () => evaluateSymbolically(expression));
  };
  for (const one of childrenFirst(condition, partsOfCondition))
    formulas.set(one, formulaOf(one, of, resultOf));
  return of(condition);
}

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
