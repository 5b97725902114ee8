import { assertNever } from "../../assert-never";
import type { NodeOf } from "../syntax/ast";
import { compileIn } from "./compile-in";
import type { Parts } from "./compile-node";
import { nilFailure, type Run } from "./evaluation";
import { readPattern } from "../regex/pattern";
import { areEqual } from "./value";

/** `==`, `in`, `contains` and their like as closures. */
export function compileBinary(node: NodeOf<"binary">, parts: Parts): Run {
  const run = compilePlain(node, parts);
  return node.negated ? (evaluation) => !run(evaluation) : run;
}

function compilePlain(node: NodeOf<"binary">, parts: Parts): Run {
  switch (node.operator) {
    case "==":
    case "!=":
      return compileEqual(node, parts);
    case "in":
      return compileIn(node, parts);
    case "matches":
      return compileMatches(node, parts);
    case "contains":
      return compileText(node, parts, (text, part) => text.includes(part));
    case "startsWith":
      return compileText(node, parts, (text, part) => text.startsWith(part));
    case "endsWith":
      return compileText(node, parts, (text, part) => text.endsWith(part));
    default:
      return assertNever(node.operator);
  }
}

/** Nil contains nothing and is contained in nothing. */
function compileText(
  { left, right }: NodeOf<"binary">,
  { runOf }: Parts,
  holds: (text: string, part: string) => boolean,
): Run {
  const textOf = runOf(left);
  if (right.kind === "string") {
    const part = right.value;
    return (evaluation) => {
      const text = textOf(evaluation);
      return typeof text === "string" && holds(text, part);
    };
  }
  const partOf = runOf(right);
  return (evaluation) => {
    const text = textOf(evaluation);
    const part = partOf(evaluation);
    return (
      typeof text === "string" && typeof part === "string" && holds(text, part)
    );
  };
}

function compileMatches(
  { left, right }: NodeOf<"binary">,
  { runOf }: Parts,
): Run {
  const pattern =
    right.kind === "string" ? readPattern(right.value) : undefined;
  if (!pattern || "mistake" in pattern) return () => false;
  const textOf = runOf(left);
  const { test } = pattern;
  return (evaluation) => {
    const text = textOf(evaluation);
    return typeof text === "string" && test(text);
  };
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
  if (node.right.kind === "string") {
    const { value } = node.right;
    return (evaluation) => {
      const one = left(evaluation);
      if (one === null) return evaluation.fail(failure);
      return (one === value) === isEqual;
    };
  }
  return (evaluation) => {
    const one = left(evaluation);
    const other = right(evaluation);
    if (one === null || other === null) return evaluation.fail(failure);
    return (one === other) === isEqual;
  };
}
