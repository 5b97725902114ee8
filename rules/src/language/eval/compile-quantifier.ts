import type { Node, NodeOf } from "../syntax/ast";
import { functionsOf, rowOf } from "../tables/lookup";
import {
  MAX_NESTED_VALUES,
  TOO_MANY_NESTED_VALUES,
} from "./nested-quantifiers";
import {
  nilFailure,
  type Evaluation,
  type Parts,
  type Run,
  type Value,
} from "./evaluation";

/**
 * Compiles a quantifier.
 * @param most how many elements `filter` and `count` find before they stop
 */
export function compileQuantifier(
  node: NodeOf<"quantifier">,
  parts: Parts,
  most = Infinity,
): Run {
  const row = rowOf(functionsOf.quantifier, node.name);
  const each = compileEach(node, parts);
  switch (row.result) {
    case "boolean": {
      const { negatesCondition, negatesResult } = row;
      return (evaluation) => {
        const isAtEnd = each(evaluation, (holds) => holds === negatesCondition);
        return isAtEnd === negatesResult;
      };
    }
    case "list":
      return (evaluation) => {
        const found: Value[] = [];
        each(evaluation, (holds, element) => {
          if (holds) found.push(element);
          return found.length < most;
        });
        return found;
      };
    case "integer":
      return (evaluation) => {
        let count = 0;
        each(evaluation, (holds) => (holds ? ++count : count) < most || !holds);
        return BigInt(count);
      };
  }
}

/** Compiles a loop over the list that ends early if `next` returns false. The loop returns whether it reached the end. */
function compileEach(
  node: NodeOf<"quantifier">,
  { runOf, isWithinQuantifier }: Parts,
) {
  const list = runOf(node.list);
  const condition = node.condition && runOf(node.condition);
  const failure = nilFailure(node);
  const isNested = isWithinQuantifier(node.list);
  const { span } = node;
  const tooMany = { message: TOO_MANY_NESTED_VALUES, span };
  return (
    evaluation: Evaluation,
    next: (holds: boolean, element: Value) => boolean,
  ): boolean => {
    const elements = list(evaluation);
    if (!Array.isArray(elements)) {
      evaluation.fail(failure);
      return false;
    }
    if (isNested) {
      evaluation.nestedValues += elements.length;
      if (evaluation.nestedValues > MAX_NESTED_VALUES) {
        evaluation.fail(tooMany);
        return false;
      }
    }
    const outer = evaluation.element;
    for (const element of elements as readonly Value[]) {
      evaluation.element = element;
      const holds = condition ? condition(evaluation) : element;
      if (typeof holds !== "boolean") evaluation.fail(failure);
      if (evaluation.failure || !next(holds === true, element)) {
        evaluation.element = outer;
        return false;
      }
    }
    evaluation.element = outer;
    return true;
  };
}

/**
 * Compiles a comparison of a count with a literal. As in expr-lang, counting stops
 * once the result is certain, so that later elements cannot fail. Undefined for
 * any other comparison.
 */
export function compileThreshold(
  left: Node,
  operator: string,
  right: Node,
  parts: Parts,
): { count: Run } | { any: Run } | undefined {
  const count = asCount(left);
  if (!count || right.kind !== "integer" || right.value < 0n) return undefined;
  const most =
    Number(right.value) + (operator === ">" || operator === "<=" ? 1 : 0);
  if (most > 1) return { count: compileQuantifier(count, parts, most) };
  const isAny = most === 1 && (operator === ">" || operator === ">=");
  return isAny
    ? { any: compileQuantifier({ ...count, name: "any" }, parts) }
    : undefined;
}

/** Compiles `filter(list, condition)[0]`. As in expr-lang, it stops at the first element found. */
export function compileFirst(
  { object, property }: NodeOf<"member">,
  parts: Parts,
): Run | undefined {
  const isFirst =
    object.kind === "quantifier" &&
    object.name === "filter" &&
    property.kind === "integer" &&
    property.value === 0n;
  return isFirst ? compileQuantifier(object, parts, 1) : undefined;
}

/** The node as `count(list, condition)`, if it is that or `len(filter(list, condition))`. */
function asCount(node: Node): NodeOf<"quantifier"> | undefined {
  const inner =
    node.kind === "call" && node.name === "len" ? node.args[0] : node;
  const expected = inner === node ? "count" : "filter";
  return inner?.kind === "quantifier" &&
    inner.name === expected &&
    inner.condition
    ? { ...inner, name: "count" }
    : undefined;
}
