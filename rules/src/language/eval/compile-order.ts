import type { NodeOf } from "../syntax/ast";
import type { Parts } from "./compile-node";
import { compileThreshold } from "./compile-quantifiers";
import {
  nilFailure,
  type Evaluation,
  type Failure,
  type Run,
} from "./evaluation";
import { isLess, type Value } from "./value";

/** A chain of `<` and its like: each with its neighbour, up to the first that fails. */
export function compileOrder(node: NodeOf<"order">, parts: Parts): Run {
  const { operators, operands } = node;
  const failure = nilFailure(node);
  const runs = operands.map(parts.runOf);
  const whole: (Run | undefined)[] = [];
  for (const [i, operator] of operators.entries()) {
    const [left, right] = operands.slice(i, i + 2);
    const threshold =
      left && right && compileThreshold(left, operator, right, parts);
    // In a chain, expr-lang stops the count for the comparison before it, too.
    if (threshold && "count" in threshold) runs[i] = threshold.count;
    if (threshold && "any" in threshold) whole[i] = threshold.any;
  }
  return (evaluation) => {
    let left = whole[0] ? undefined : runs[0]?.(evaluation);
    for (let i = 0; i < operators.length; i++) {
      const any = whole[i];
      if (any && !any(evaluation)) return false;
      const right = runs[i + 1]?.(evaluation);
      if (!any && !isOrdered(operators[i], left, right, evaluation, failure))
        return false;
      left = right;
    }
    return true;
  };
}

function isOrdered(
  operator: string | undefined,
  a: Value,
  b: Value,
  evaluation: Evaluation,
  failure: Failure,
): boolean {
  const isSwapped = operator === ">" || operator === "<=";
  const less = isSwapped ? isLess(b, a) : isLess(a, b);
  if (less === undefined) {
    evaluation.fail(failure);
    return false;
  }
  return operator === "<" || operator === ">" ? less : !less;
}
