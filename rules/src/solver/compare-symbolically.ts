import { assertNever } from "../assert-never";
import type { NodeOf, OrderOperator, ValueType } from "../language";
import { areEqual, isLess } from "../language/eval/evaluation";
import { readPattern } from "../language/regex/pattern";
import { canonicalHeaderName } from "../language/request/header-names";
import {
  isMissing,
  isOneOf,
  isSomeValue,
  numberOfMatches,
  textMatches,
  textsRelate,
} from "./atoms";
import {
  ALWAYS,
  and,
  elementSubject,
  IP,
  LENGTHS,
  NEVER,
  numberWithin,
  or,
  sizeSubject,
  type Formula,
  type NumberSubject,
} from "./formula";
import { includes, intersection, only, type Ranges } from "./integer-set";
import {
  FAILS,
  truth,
  type ConstantValue,
  type Meaning,
  type Operand,
} from "./symbolic-value";

type Binary = NodeOf<"binary">;

/** The meaning of `==`, `in`, `contains` and their like; undefined where it cannot be told. */
export function comparisonMeaning(
  node: Binary,
  typeOf: (node: Binary["left"]) => ValueType,
  left: Operand,
  right: Operand,
): Meaning | undefined {
  const types = [typeOf(node.left), typeOf(node.right)] as const;
  const isNil = [left, right].some(isNilConstant);
  switch (node.operator) {
    case "==":
    case "!=": {
      if (isNil && isDirect(...types)) return FAILS;
      const holds = equal(left, right);
      return holds && truth(node.operator === "==" ? holds : holds.opposite);
    }
    case "in": {
      const holds = isIn(node, types[0].kind, left, right);
      return holds && truth(node.negated ? holds.opposite : holds);
    }
    case "matches":
    case "contains":
    case "startsWith":
    case "endsWith": {
      const [a, b] = [textOf(left), textOf(right)];
      if (!isNil && (a === undefined || b === undefined)) return undefined;
      const holds =
        a === undefined || b === undefined
          ? NEVER
          : node.operator !== "matches"
            ? textsRelate(node.operator, a, b)
            : typeof b === "string"
              ? matchesPattern(a, b)
              : undefined;
      return holds && truth(node.negated ? holds.opposite : holds);
    }
    default:
      return assertNever(node.operator);
  }
}

/** The meaning of `<` and its like between two operands; undefined where it cannot be told. */
export function orderMeaning(
  operator: OrderOperator,
  left: Operand,
  right: Operand,
): Meaning | undefined {
  const isSwapped = operator === ">" || operator === "<=";
  const [a, b] = isSwapped ? [right, left] : [left, right];
  const less = isLessOperand(a, b);
  if (less === "fails") return FAILS;
  const isPlain = operator === "<" || operator === ">";
  return less && truth(isPlain ? less : less.opposite);
}

/** Two strings or two integers are compared as such, and fail on nil. */
function isDirect(a: ValueType, b: ValueType): boolean {
  const isKind = a.kind === "string" || a.kind === "integer";
  return isKind && a.kind === b.kind && !a.loose && !b.loose;
}

const isNilConstant = (operand: Operand) =>
  operand.kind === "constant" && operand.value === null;

/** A text, known or not. */
function textOf(operand: Operand) {
  if (operand.kind === "text") return operand.subject;
  const value = operand.kind === "constant" ? operand.value : undefined;
  return typeof value === "string" ? value : undefined;
}

function matchesPattern(
  text: NonNullable<ReturnType<typeof textOf>>,
  pattern: string,
): Formula {
  if (typeof text !== "string") return textMatches(text, pattern);
  const read = readPattern(pattern);
  return "test" in read && read.test(text) ? ALWAYS : NEVER;
}

function equal(left: Operand, right: Operand): Formula | undefined {
  const [a, b] = rank(left) <= rank(right) ? [left, right] : [right, left];
  if (a.kind === "constant" && b.kind === "constant")
    return areEqual(a.value, b.value) ? ALWAYS : NEVER;
  const [x, y] = [textOf(a), textOf(b)];
  if (x !== undefined && y !== undefined) return textsRelate("==", x, y);
  if (a.kind === "constant") {
    if (b.kind === "number") return numberIs(b.subject, "==", a.value);
    if (b.kind === "header")
      return a.value === null ? isMissing(b.name) : NEVER;
    if (b.kind === "matches") return countIs(b, "==", a.value);
    return b.kind === "text" || b.kind === "list" ? NEVER : undefined;
  }
  if (a.kind === "number" && b.kind === "number")
    return a.subject.key === b.subject.key ? ALWAYS : undefined;
  if (b.kind === "matches" && (a.kind === "number" || a.kind === "matches"))
    return undefined;
  if (a.kind === "list" && b.kind === "list")
    return a.elements.length === b.elements.length
      ? allEqual(a.elements, b.elements)
      : NEVER;
  if (a.kind === "list" && b.kind === "header") {
    const { length } = a.elements;
    const sizes: Ranges = [
      [length === 0 ? -1n : BigInt(length), BigInt(length)],
    ];
    const values = a.elements.map((_, i): Operand => ({
      kind: "text",
      subject: elementSubject(b.name, i),
    }));
    const same = allEqual(a.elements, values);
    return same && and(numberWithin(sizeSubject(b.name), sizes), same);
  }
  if (a.kind === "header" && b.kind === "header")
    return a.name === b.name ? ALWAYS : undefined;
  const isScalar = [a, b].some(
    ({ kind }) => kind === "text" || kind === "number",
  );
  return isScalar ? NEVER : undefined;
}

/** So that each pair is looked at in one order only. */
function rank({ kind }: Operand): number {
  return ["constant", "text", "number", "matches", "list", "header"].indexOf(
    kind,
  );
}

function allEqual(
  one: readonly Operand[],
  other: readonly Operand[],
): Formula | undefined {
  const pairs: Formula[] = [];
  for (const [i, left] of one.entries()) {
    const right = other[i];
    const same = right && equal(left, right);
    if (!same) return undefined;
    pairs.push(same);
  }
  return and(...pairs);
}

function isIn(
  node: Binary,
  kind: ValueType["kind"],
  left: Operand,
  right: Operand,
): Formula | undefined {
  if (right.kind === "network")
    return left.kind === "ip" ? numberWithin(IP, right.addresses) : undefined;
  if (right.kind === "headers") {
    const name = isNilConstant(left) ? "" : textOf(left);
    return typeof name === "string"
      ? isMissing(canonicalHeaderName(name)).opposite
      : undefined;
  }
  if (right.kind === "constant") return NEVER;
  const needle: Operand = isNilConstant(left)
    ? { kind: "constant", value: zeroOf(node, kind) }
    : left;
  if (right.kind === "header") {
    const text = textOf(needle);
    return text === undefined ? NEVER : isSomeValue(right.name, text);
  }
  if (right.kind !== "list") return undefined;
  const { elements } = right;
  const texts = elements.map((e) =>
    e.kind === "constant" && typeof e.value === "string" ? e.value : undefined,
  );
  if (needle.kind === "text" && !texts.includes(undefined))
    return isOneOf(
      needle.subject,
      texts.filter((text) => text !== undefined),
    );
  const equals = elements.map((element) => equal(element, needle));
  return equals.includes(undefined)
    ? undefined
    : or(...equals.filter((formula) => formula !== undefined));
}

/** In a list of literals of one kind, expr-lang takes nil for that kind's zero. */
function zeroOf({ right }: Binary, left: ValueType["kind"]): ConstantValue {
  if (right.kind !== "list" || right.elements.length === 0) return null;
  const isAll = (kind: string) =>
    right.elements.every((element) => element.kind === kind);
  if (isAll("string")) return "";
  return left === "integer" && isAll("integer") ? 0n : null;
}

function isLessOperand(a: Operand, b: Operand): Formula | "fails" | undefined {
  if (a.kind === "constant" && b.kind === "constant") {
    const less = isLess(a.value, b.value);
    return less === undefined ? "fails" : less ? ALWAYS : NEVER;
  }
  if (isNilConstant(a) || isNilConstant(b)) return "fails";
  const [x, y] = [textOf(a), textOf(b)];
  if (x !== undefined && y !== undefined) return textsRelate("below", x, y);
  if (b.kind === "constant") return numberOf(a, "<", b.value);
  if (a.kind === "constant") return numberOf(b, ">", a.value);
  return a.kind === "number" &&
    b.kind === "number" &&
    a.subject.key === b.subject.key
    ? NEVER
    : undefined;
}

type Comparison = "==" | "<" | ">";

function numberOf(
  operand: Operand,
  comparison: Comparison,
  value: ConstantValue,
): Formula | undefined {
  if (operand.kind === "number")
    return numberIs(operand.subject, comparison, value);
  return operand.kind === "matches"
    ? countIs(operand, comparison, value)
    : undefined;
}

function numberIs(
  subject: NumberSubject,
  comparison: Comparison,
  value: ConstantValue,
): Formula {
  const within = comparedTo(comparison, value);
  // A header that was not sent has no values.
  const isZero = subject.what === "size" && includes(within, 0n);
  const all = isZero ? [[-1n, -1n] as const, ...within] : within;
  return numberWithin(subject, all);
}

function countIs(
  { condition }: Extract<Operand, { kind: "matches" }>,
  comparison: Comparison,
  value: ConstantValue,
): Formula | undefined {
  return numberOfMatches(condition, comparedTo(comparison, value));
}

/** The natural numbers of which a comparison with a number holds. */
function comparedTo(comparison: Comparison, value: ConstantValue): Ranges {
  if (typeof value !== "bigint" && typeof value !== "number") return [];
  const floor = typeof value === "bigint" ? value : clamped(Math.floor(value));
  const isInteger = typeof value === "bigint" || Number.isInteger(value);
  const [{ 0: least, 1: most } = [0n, 0n]] = LENGTHS;
  const ranges: Ranges =
    comparison === "=="
      ? isInteger
        ? only(floor)
        : []
      : comparison === ">"
        ? [[floor + 1n, most]]
        : [[least, isInteger ? floor - 1n : floor]];
  return intersection(
    ranges.filter(([a, b]) => a <= b),
    LENGTHS,
  );
}

/** Far beyond any length. */
function clamped(value: number): bigint {
  return BigInt(Math.max(-1e12, Math.min(1e12, value)));
}
