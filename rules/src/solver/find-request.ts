import { assertNever } from "../assert-never";
import type { CheckedExpression, RuleRequest } from "../language";
import {
  childrenOfCondition,
  meetsCondition,
  type Condition,
} from "./condition";
import {
  expressionMeaning,
  type ExpressionMeaning,
} from "./evaluate-symbolically";
import { and, NEVER, or, type Formula } from "./formula";
import { Search } from "./search";

/** Whether any request meets a condition. Both `found` and `none` are certain. */
export type FoundRequest =
  /** This one does: evaluating the condition on it said so. */
  | { readonly answer: "found"; readonly request: RuleRequest }
  /** None does, whatever it holds. */
  | { readonly answer: "none" }
  /** No request was found, and none is not proven. */
  | { readonly answer: "cannot tell" };

/** Looks for a request that meets a condition, by reasoning instead of trying. */
export function findRequest(condition: Condition): FoundRequest {
  const found = new Search().find(conditionFormula(condition), (request) =>
    meetsCondition(condition, request),
  );
  if (found === "none") return { answer: "none" };
  return found === "gave up"
    ? { answer: "cannot tell" }
    : { answer: "found", request: found };
}

/** The formula that holds for the same requests as a condition. */
export function conditionFormula(condition: Condition): Formula {
  const formulas = new Map<Condition, Formula>();
  const of = (one: Condition) => formulas.get(one) ?? NEVER;
  // Rules that stand in both of two sets become the same formula.
  const meanings = new Map<string, ExpressionMeaning>();
  const meaningOf = (expression: CheckedExpression) => {
    const { source } = expression;
    const meaning = meanings.get(source) ?? expressionMeaning(expression);
    meanings.set(source, meaning);
    return meaning;
  };
  for (const one of inOrder(condition))
    if (!formulas.has(one)) formulas.set(one, formulaOf(one, of, meaningOf));
  return of(condition);
}

/** Every condition within one and itself, the inner ones first. It takes no stack. */
export function inOrder(condition: Condition): Condition[] {
  const found: Condition[] = [];
  const open = [condition];
  for (let one = open.pop(); one; one = open.pop()) {
    found.push(one);
    for (const child of childrenOfCondition(one)) open.push(child);
  }
  return found.reverse();
}

function formulaOf(
  condition: Condition,
  of: (one: Condition) => Formula,
  meaningOf: (expression: CheckedExpression) => ExpressionMeaning,
): Formula {
  switch (condition.kind) {
    case "evaluates": {
      const { isTrue, isFalse } = meaningOf(condition.expression);
      return condition.to ? isTrue : isFalse;
    }
    case "all":
      return and(...condition.of.map(of));
    case "any": {
      const [a, b] = condition.of;
      const isEither =
        condition.of.length === 2 &&
        a?.kind === "evaluates" &&
        b?.kind === "evaluates" &&
        a.expression === b.expression &&
        a.to !== b.to;
      return isEither
        ? meaningOf(a.expression).isDefined
        : or(...condition.of.map(of));
    }
    case "not":
      return of(condition.of).opposite;
    default:
      return assertNever(condition);
  }
}
