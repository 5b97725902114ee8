import type { ConstantValue } from "../core/core";
import {
  ALWAYS,
  and,
  type Formula,
  NEVER,
  type NumberVariable,
  or,
  type TextVariable,
} from "./formula";

/** What a part of an expression may stand for, in terms of variables of the request. */
export type Term =
  | { readonly kind: "constant"; readonly value: ConstantValue }
  | { readonly kind: "text"; readonly variable: TextVariable }
  | { readonly kind: "number"; readonly variable: NumberVariable }
  /** The list of a header's values; a header that was not sent is an empty list that equals nil. */
  | { readonly kind: "header"; readonly name: string }
  | { readonly kind: "list"; readonly elements: readonly Term[] }
  | { readonly kind: "headers" };

/** A term, and the formula for the requests in which it is the value. */
export interface GuardedValue {
  readonly guard: Formula;
  readonly term: Term;
}

/** The value of an expression for every request at once. */
export interface SymbolicValue {
  /** Holds for the requests for which the evaluation does not fail. */
  readonly defined: Formula;
  /** For each of those requests, exactly one guard holds. */
  readonly cases: readonly GuardedValue[];
}

/** The value of a boolean expression as formulas. Where it is defined, is not nil and does not hold, it is false. */
export interface Truth {
  readonly defined: Formula;
  readonly isNil: Formula;
  readonly holds: Formula;
}

/** Most cases of one value. The solver cannot tell a value that has more. */
const MAX_CASES = 64;

/** A value that is one term for every request. */
export function always(term: Term, defined: Formula = ALWAYS): SymbolicValue {
  return { defined, cases: [{ guard: ALWAYS, term }] };
}

/** The value of a literal. */
export function constant(value: ConstantValue): SymbolicValue {
  return always({ kind: "constant", value });
}

/** The value of an expression that fails for every request. */
export const FAILS: SymbolicValue = { defined: NEVER, cases: [] };

/** The value of an expression that is true where `holds`, and false elsewhere. */
export function truth(
  holds: Formula,
  defined: Formula = ALWAYS,
): SymbolicValue {
  return fromTruth({ defined, isNil: NEVER, holds });
}

/** A truth as a symbolic value. */
export function fromTruth({ defined, isNil, holds }: Truth): SymbolicValue {
  const cases = [
    { guard: and(holds, isNil.opposite), value: true },
    { guard: and(holds.opposite, isNil.opposite), value: false },
    { guard: isNil, value: null },
  ];
  return {
    defined,
    cases: cases
      .filter(({ guard }) => guard !== NEVER)
      .map(({ guard, value }) => ({
        guard,
        term: { kind: "constant", value },
      })),
  };
}

/** Whether every case of a value is true, false or nil. Only such a value may be read by `truthOf`. */
export function isTruthValue({ cases }: SymbolicValue): boolean {
  return cases.every(
    ({ term }) =>
      term.kind === "constant" &&
      (typeof term.value === "boolean" || term.value === null),
  );
}

/** The truth of a value whose cases are true, false or nil. */
export function truthOf({ defined, cases }: SymbolicValue): Truth {
  const when = (value: ConstantValue) =>
    or(
      ...cases
        .filter(({ term: o }) => o.kind === "constant" && o.value === value)
        .map((one) => one.guard),
    );
  return { defined, isNil: when(null), holds: when(true) };
}

/**
 * The value of an expression whose operands are evaluated first. `make` gives
 * the value for one combination of the operands' terms; where it gives none, or
 * where there are too many combinations, the result is undefined.
 */
export function combine(
  parts: readonly SymbolicValue[],
  make: (...terms: Term[]) => SymbolicValue | undefined,
): SymbolicValue | undefined {
  let combinations: { guard: Formula; terms: Term[] }[] = [
    { guard: ALWAYS, terms: [] },
  ];
  for (const { cases } of parts) {
    combinations = combinations.flatMap(({ guard, terms }) =>
      cases.map((one) => ({
        guard: and(guard, one.guard),
        terms: [...terms, one.term],
      })),
    );
    if (combinations.length > MAX_CASES) return undefined;
  }
  const defined: Formula[] = parts.map((part) => part.defined);
  const cases: GuardedValue[] = [];
  for (const { guard, terms } of combinations) {
    const made = make(...terms);
    if (!made) return undefined;
    defined.push(or(guard.opposite, made.defined));
    for (const one of made.cases) {
      const both = and(guard, one.guard);
      if (both !== NEVER) cases.push({ guard: both, term: one.term });
    }
  }
  if (cases.length > MAX_CASES) return undefined;
  return merged({ defined: and(...defined), cases });
}

/** Joins the cases of a truth value: one case for true, one for false, and one for nil. */
function merged(value: SymbolicValue): SymbolicValue {
  return value.cases.length > 1 && isTruthValue(value)
    ? fromTruth(truthOf(value))
    : value;
}

/**
 * The truth of `and` or `or` between several operands. The first operand that is
 * `decides` ends the evaluation. An operand that is nil is a failure,
 * unless it is the last one, whose value becomes the result.
 */
export function logicTruth(decides: boolean, truths: readonly Truth[]): Truth {
  const join = decides ? or : and;
  const last = truths.at(-1);
  if (!last) return { defined: ALWAYS, isNil: NEVER, holds: join() };
  let { defined } = last;
  for (const truth of truths.slice(0, -1).reverse()) {
    const decided = decides ? truth.holds : truth.holds.opposite;
    const ready = definite(truth);
    if (ready !== defined) defined = and(ready, or(decided, defined));
  }
  const holds = join(...truths.map((truth) => truth.holds));
  const others = truths.slice(0, -1).map((truth) => truth.holds);
  const isNil =
    last.isNil === NEVER
      ? NEVER
      : and(last.isNil, ...(decides ? others.map((o) => o.opposite) : others));
  return { defined, isNil, holds };
}

/** Holds where a truth is true or false. */
function definite({ defined, isNil }: Truth): Formula {
  return and(defined, isNil.opposite);
}

/** The truth, where nil counts as a failure. */
export function strict(truth: Truth): Truth {
  return { defined: definite(truth), isNil: NEVER, holds: truth.holds };
}

/** The truth of `!`, applied to another truth. */
export function notTruth(truth: Truth): Truth {
  return { ...strict(truth), holds: truth.holds.opposite };
}

const keys = new WeakMap<Term, number>();
let lastKey = 0;

/** A key that two terms share only if they are the same. */
export function keyOfTerm(element: Term): string {
  if (element.kind === "text" || element.kind === "number")
    return element.variable.key;
  if (element.kind === "constant")
    return `${typeof element.value} ${String(element.value)}`;
  const key = keys.get(element) ?? ++lastKey;
  keys.set(element, key);
  return `${element.kind} ${key}`;
}
