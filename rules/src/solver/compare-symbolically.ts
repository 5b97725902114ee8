import { allKnown } from "../all-known";
import { areEqual, isLess } from "../eval/compile-expression";
import type { ConstantValue, CoreOf } from "../core/core";
import type {
  OrderOperatorRow,
  TextOperator,
} from "../language/tables/operators";
import {
  isMissing,
  isOneOf,
  isSomeValue,
  textMatches,
  textsRelate,
} from "./atoms";
import {
  ALWAYS,
  type Formula,
  LENGTHS,
  NEVER,
  numberWithin,
  or,
} from "./formula";
import { includes, intersection, only, type IntegerSet } from "./integer-set";
import { FAILS, type SymbolicValue, type Term, truth } from "./symbolic-value";

const truthIfKnown = (holds: Formula | undefined) => holds && truth(holds);

/** The value of `==` between two terms; undefined if the solver cannot tell it. */
export function equalSymbolically(
  { failsOnNil }: CoreOf<"equal">,
  left: Term,
  right: Term,
): SymbolicValue | undefined {
  const isNil = isNilConstant(left) || isNilConstant(right);
  return failsOnNil && isNil ? FAILS : truthIfKnown(equal(left, right));
}

/** The value of an operator between two texts; undefined if the solver cannot tell it. */
export function textSymbolically(
  { operator }: CoreOf<"text">,
  left: Term,
  right: Term,
): SymbolicValue | undefined {
  if (isNilConstant(left) || isNilConstant(right)) return truth(NEVER);
  const [a, b] = [textOf(left), textOf(right)];
  if (a === undefined || b === undefined) return undefined;
  return truthIfKnown(textsRelate(operator.name as TextOperator, a, b));
}

/** The value of `matches` for a term; undefined if the solver cannot tell it. */
export function matchesSymbolically(
  { pattern, read }: CoreOf<"matches">,
  term: Term,
): SymbolicValue | undefined {
  if (isNilConstant(term)) return truth(NEVER);
  const text = textOf(term);
  if (text === undefined) return undefined;
  if (typeof text !== "string") return truth(textMatches(text, pattern));
  if (text.length * read.cost > MAX_PATTERN_STEPS) return undefined;
  return truth(read.test(text) ? ALWAYS : NEVER);
}

/** Most steps of trying a pattern on a given text. */
const MAX_PATTERN_STEPS = 10_000;

/** The value of `in` for a term and a list; undefined if the solver cannot tell it. */
export function inSymbolically(
  needle: Term,
  list: Term,
): SymbolicValue | undefined {
  return truthIfKnown(isIn(needle, list));
}

/** The value of an operator of order between two terms; undefined if the solver cannot tell it. */
export function orderSymbolically(
  { isSwapped, isNegated }: OrderOperatorRow,
  left: Term,
  right: Term,
): SymbolicValue | undefined {
  const [a, b] = isSwapped ? [right, left] : [left, right];
  const less = isLessTerm(a, b);
  if (less === "fails") return FAILS;
  return less && truth(isNegated ? less.opposite : less);
}

const isNilConstant = (term: Term) =>
  term.kind === "constant" && term.value === null;

/** The text that a term stands for: a variable, or a given text. */
function textOf(term: Term) {
  if (term.kind === "text") return term.variable;
  const value = term.kind === "constant" ? term.value : undefined;
  return typeof value === "string" ? value : undefined;
}

function equal(left: Term, right: Term): Formula | undefined {
  const [a, b] = rank(left) <= rank(right) ? [left, right] : [right, left];
  if (a.kind === "constant" && b.kind === "constant")
    return areEqual(a.value, b.value) ? ALWAYS : NEVER;
  const [x, y] = [textOf(a), textOf(b)];
  if (x !== undefined && y !== undefined) return textsRelate("==", x, y);
  if (a.kind === "constant") {
    if (b.kind === "number") return numberOf(b, "==", a.value);
    if (b.kind === "header")
      return a.value === null ? isMissing(b.name) : NEVER;
  }
  if (a.kind === "number" && b.kind === "number")
    return a.variable.key === b.variable.key ? ALWAYS : undefined;
  if (a.kind === "header" && b.kind === "header")
    return a.name === b.name ? ALWAYS : undefined;
  if (b.kind === "header" && (a.kind === "text" || a.kind === "number"))
    return NEVER;
  return ofDifferentKinds(a, b) ? NEVER : undefined;
}

/** Whether two terms are certainly values of different kinds, which are never equal. */
function ofDifferentKinds(a: Term, b: Term): boolean {
  const [x, y] = [kindOf(a), kindOf(b)];
  return x !== undefined && y !== undefined && x !== y;
}

function kindOf(term: Term): string | undefined {
  switch (term.kind) {
    case "constant":
      if (term.value === null) return "nil";
      return typeof term.value === "bigint" ? "number" : typeof term.value;
    case "text":
      return "string";
    case "number":
      return "number";
    case "list":
      return "list";
    default:
      // A header may be a list or nil; no other term is compared.
      return undefined;
  }
}

/** A rank by which a pair of terms is put in order, so that `equal` handles each pair once. */
function rank({ kind }: Term): number {
  return ["constant", "text", "number", "list", "header"].indexOf(kind);
}

function isIn(needle: Term, right: Term): Formula | undefined {
  if (right.kind === "constant") return NEVER;
  if (right.kind === "header") {
    const text = textOf(needle);
    if (typeof text === "string") return isSomeValue(right.name, text);
    // The values of a header are strings.
    const kind = kindOf(needle);
    return kind === undefined || kind === "string" ? undefined : NEVER;
  }
  if (right.kind !== "list") return undefined;
  const { elements } = right;
  const texts = allKnown(
    elements.map((one) => {
      const text = textOf(one);
      return typeof text === "string" ? text : undefined;
    }),
  );
  if (needle.kind === "text" && texts) return isOneOf(needle.variable, texts);
  const equals = allKnown(elements.map((element) => equal(element, needle)));
  return equals && or(...equals);
}

function isLessTerm(a: Term, b: Term): Formula | "fails" | undefined {
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
    a.variable.key === b.variable.key
    ? NEVER
    : undefined;
}

type Comparison = "==" | "<" | ">";

/** Holds where a number compares with a given one; undefined if the solver cannot tell it. */
function numberOf(
  term: Term,
  comparison: Comparison,
  value: ConstantValue,
): Formula | undefined {
  const within = comparedTo(comparison, value);
  if (term.kind !== "number") return undefined;
  const { variable } = term;
  // The size of a header that was not sent is -1, and its length is 0.
  const isZero = variable.what === "size" && includes(within, 0n);
  return numberWithin(variable, isZero ? [[-1n, -1n], ...within] : within);
}

/** The natural numbers for which a comparison with a given number holds. */
function comparedTo(comparison: Comparison, value: ConstantValue): IntegerSet {
  if (typeof value !== "bigint" && typeof value !== "number") return [];
  const floor = typeof value === "bigint" ? value : clamped(Math.floor(value));
  const isInteger = typeof value === "bigint" || Number.isInteger(value);
  const [{ 0: least, 1: most } = [0n, 0n]] = LENGTHS;
  const ranges: IntegerSet =
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

/** An integer that compares with every length as the number does. */
function clamped(value: number): bigint {
  return BigInt(Math.max(-1e12, Math.min(1e12, value)));
}
