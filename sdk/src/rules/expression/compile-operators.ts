import type { Node, NodeOf } from "./ast";
import type { Parts } from "./compile-node";
import { compileThreshold } from "./compile-quantifiers";
import { nilFailure, type Run } from "./evaluation";
import { isInNetwork, parseNetwork } from "./ip-address";
import { findHeader } from "./header-names";
import { readPattern } from "./pattern";
import { areEqual, isLess, type Value } from "./value";

/** `==`, `in`, `contains` and their like as closures. */
export function compileBinary(node: NodeOf<"binary">, parts: Parts): Run {
  const run = compilePlain(node, parts);
  return node.negated ? (evaluation) => !run(evaluation) : run;
}

function compilePlain(node: NodeOf<"binary">, parts: Parts): Run {
  const [left, right] = [parts.runOf(node.left), parts.runOf(node.right)];
  switch (node.operator) {
    case "==":
    case "!=":
      return compileEqual(node, parts);
    case "in":
      return compileIn(node, parts);
    case "matches": {
      const pattern =
        node.right.kind === "string"
          ? readPattern(node.right.value)
          : undefined;
      if (!pattern || "mistake" in pattern) return () => false;
      const { test } = pattern;
      return (evaluation) => {
        const text = left(evaluation);
        return typeof text === "string" && test(text);
      };
    }
    case "contains":
    case "startsWith":
    case "endsWith": {
      const test = {
        contains: (text: string, part: string) => text.includes(part),
        startsWith: (text: string, part: string) => text.startsWith(part),
        endsWith: (text: string, part: string) => text.endsWith(part),
      }[node.operator];
      return (evaluation) => {
        const text = left(evaluation);
        const part = right(evaluation);
        return (
          text !== null && part !== null && test(text as string, part as string)
        );
      };
    }
  }
}

/** Two strings or two integers are compared as such, and fail on nil; others do not. */
function compileEqual(node: NodeOf<"binary">, { typeOf, runOf }: Parts): Run {
  const [left, right] = [runOf(node.left), runOf(node.right)];
  const [a, b] = [typeOf(node.left), typeOf(node.right)];
  const isEqual = node.operator === "==";
  const isDirect =
    a.kind === b.kind &&
    (a.kind === "string" || a.kind === "integer") &&
    !a.loose &&
    !b.loose;
  if (!isDirect)
    return (evaluation) =>
      areEqual(left(evaluation), right(evaluation)) === isEqual;
  const failure = nilFailure(node);
  return (evaluation) => {
    const x = left(evaluation);
    const y = right(evaluation);
    if (x === null || y === null) throw failure;
    return (x === y) === isEqual;
  };
}

function compileIn(node: NodeOf<"binary">, { typeOf, runOf }: Parts): Run {
  const left = runOf(node.left);
  const right = runOf(node.right);
  const { kind } = typeOf(node.right);
  if (kind === "network") {
    const [literal] = node.right.kind === "call" ? node.right.args : [];
    const network =
      literal?.kind === "string" ? parseNetwork(literal.value) : undefined;
    return ({ ip }) => !!ip && !!network && isInNetwork(ip, network);
  }
  if (kind === "headers")
    return (evaluation) => {
      const name = (left(evaluation) ?? "") as string;
      return findHeader(evaluation.request.headers, name) !== undefined;
    };
  const zero = zeroOf(node, typeOf(node.left).kind);
  const members = textsOf(node.right);
  if (members) return (evaluation) => members.has(left(evaluation) ?? zero);
  return (evaluation) => {
    const one = left(evaluation);
    const many = right(evaluation);
    const needle = one === null ? zero : one;
    return (
      Array.isArray(many) &&
      many.some((value) => areEqual(value as Value, needle))
    );
  };
}

/** In a list of literals of one kind, expr-lang takes nil for that kind's zero. */
function zeroOf({ right }: NodeOf<"binary">, left: string): Value {
  if (right.kind !== "list" || right.elements.length === 0) return null;
  const isAll = (kind: Node["kind"]) =>
    right.elements.every((element) => element.kind === kind);
  if (isAll("string")) return "";
  return left === "integer" && isAll("integer") ? 0n : null;
}

function textsOf(list: Node): ReadonlySet<Value> | undefined {
  if (list.kind !== "list" || list.elements.length === 0) return undefined;
  const texts = list.elements.map((element) =>
    element.kind === "string" ? element.value : undefined,
  );
  return texts.includes(undefined) ? undefined : new Set(texts);
}

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
      if (!any && !isOrdered(operators[i], left, right, failure)) return false;
      left = right;
    }
    return true;
  };
}

function isOrdered(
  operator: string | undefined,
  a: Value,
  b: Value,
  failure: Error,
): boolean {
  const isSwapped = operator === ">" || operator === "<=";
  const less = isSwapped ? isLess(b, a) : isLess(a, b);
  if (less === undefined) throw failure;
  return operator === "<" || operator === ">" ? less : !less;
}
