import type { CheckedExpression, Node } from "../language";
import { optimise } from "../language/eval/optimise";
import { typeOf } from "../language/types/value-type";
import { and, or, type Formula } from "./formula";
import { truthOf, FAILS } from "./meaning";
import { nodeMeaning } from "./node-meaning";

/** For which requests an expression is true, and for which it does not fail. */
export interface ExpressionMeaning {
  readonly isTrue: Formula;
  readonly isFalse: Formula;
  readonly isDefined: Formula;
}

/** Most nodes that are looked at for one expression, those of quantified conditions each time. */
const MAX_NODES = 50_000;

const known = new WeakMap<CheckedExpression, ExpressionMeaning>();

/** The meaning of an expression, as it is evaluated: after what expr-lang's optimiser does. */
export function expressionMeaning(
  expression: CheckedExpression,
): ExpressionMeaning {
  const found = known.get(expression);
  if (found) return found;
  const types = new Map(expression.types);
  const typeOfNode = (node: Node) => types.get(node) ?? typeOf("boolean");
  const root = optimise(expression.root, (from, to) => {
    if (!types.has(to)) types.set(to, typeOfNode(from));
  });
  const meaning = nodeMeaning(root, {
    types,
    typeOf: typeOfNode,
    element: undefined,
    depth: 0,
    budget: { left: MAX_NODES },
  });
  const { defined, isNil, holds } = truthOf(meaning ?? FAILS);
  const made = {
    isTrue: and(defined, isNil.opposite, holds),
    isFalse: and(defined, or(isNil, holds.opposite)),
    isDefined: defined,
  };
  known.set(expression, made);
  return made;
}
