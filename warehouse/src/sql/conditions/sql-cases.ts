import type { ConstantValue } from "@devid/rules/internals";
import { allOf, anyOf, isNot, sqlOf, type SqlCondition } from "./sql-condition";

/**
 * A value that a node has in some rows. Booleans, floats and nil are always constants.
 * If such a value depends on the row, each possible value is a case.
 */
export type SqlValue =
  | { readonly kind: "constant"; readonly value: ConstantValue }
  | SqlText
  /** An integer of at most 2^53 in size, such as the length of a text. */
  | { readonly kind: "integer"; readonly sql: string }
  /** A list whose number of elements is known when the query is written. */
  | {
      readonly kind: "list";
      readonly elements: readonly SqlValue[];
      /** Whether these are the values of a header that was not sent, which equal nil. */
      readonly isMissing: boolean;
    };

/** A text that a row has. */
export interface SqlText {
  readonly kind: "text";
  readonly sql: string;
  /** The number of nested selects that make its columns; 0 for columns of the table. */
  readonly level: number;
}

/** The values of a node: exactly one case holds in each row in which evaluation does not fail. */
export interface SqlCases {
  /** The rows in which the evaluation fails. */
  readonly failed: SqlCondition;
  readonly cases: readonly SqlCase[];
}

interface SqlCase {
  readonly when: SqlCondition;
  readonly value: SqlValue;
}

/** A node has more cases than a query can spell out. */
export class TooManyCasesError extends Error {
  override readonly name = "TooManyCasesError";
}

const MAX_CASES = 40;
/** Longest condition, in characters. */
const MAX_CONDITION = 100_000;

export const FAILED: SqlCases = { failed: true, cases: [] };

/** One value in every row. */
export function inEveryRow(value: SqlValue): SqlCases {
  return { failed: false, cases: [{ when: true, value }] };
}

export function constantCase(value: ConstantValue): SqlCases {
  return inEveryRow({ kind: "constant", value });
}

/** The boolean value of a condition. */
export function booleanOf(condition: SqlCondition): SqlCases {
  return either(condition, constantCase(true), constantCase(false));
}

/** One result if a condition is true, and another result otherwise. */
export function either(
  condition: SqlCondition,
  yes: SqlCases,
  no: SqlCases,
): SqlCases {
  if (condition === true) return yes;
  return condition === false ? no : chosen([[condition, yes]], no);
}

/**
 * The result of the condition that holds, among conditions that exclude each other;
 * `otherwise` if none holds.
 */
export function chosen(
  choices: readonly (readonly [when: SqlCondition, result: SqlCases])[],
  otherwise: SqlCases,
): SqlCases {
  const whens = choices.map(([when]) => when);
  const all = [...choices, [isNot(anyOf(...whens)), otherwise] as const];
  return merged(
    anyOf(...all.map(([when, { failed }]) => allOf(when, failed))),
    all.flatMap(([outer, { cases }]) =>
      cases.map(({ when, value }) => ({ when: allOf(outer, when), value })),
    ),
  );
}

/** Applies a function to each possible value of a node. */
export function andThen(
  { failed, cases }: SqlCases,
  next: (value: SqlValue) => SqlCases,
): SqlCases {
  const [only] = cases;
  if (only && cases.length === 1 && failed === false) return next(only.value);
  const results = cases.map(({ when, value }) => ({
    when,
    result: next(value),
  }));
  return merged(
    anyOf(
      failed,
      ...results.map(({ when, result }) => allOf(when, result.failed)),
    ),
    results.flatMap(({ when, result }) =>
      result.cases.map((one) => ({
        when: allOf(when, one.when),
        value: one.value,
      })),
    ),
  );
}

/** The rows in which a node has a value. */
export function whenIs(
  { cases }: SqlCases,
  holds: (value: SqlValue) => boolean,
): SqlCondition {
  return anyOf(
    ...cases.filter(({ value }) => holds(value)).map(({ when }) => when),
  );
}

/** Whether a value is a given constant. */
export function isConstant(value: SqlValue, wanted: ConstantValue): boolean {
  return value.kind === "constant" && value.value === wanted;
}

function merged(failed: SqlCondition, all: readonly SqlCase[]): SqlCases {
  const byValue = new Map<string, SqlCase>();
  for (const { when, value } of all) {
    if (when === false) continue;
    const key = keyOfValue(value);
    const known = byValue.get(key);
    byValue.set(key, {
      value,
      when: known ? anyOf(known.when, when) : when,
    });
  }
  if (byValue.size > MAX_CASES) throw new TooManyCasesError();
  const cases = shortened(failed, [...byValue.values()]);
  for (const { when } of cases)
    if (sqlOf(when).length > MAX_CONDITION) throw new TooManyCasesError();
  return { failed, cases };
}

/**
 * Replaces the longest condition by "no other condition" if that is shorter, because
 * one condition holds in each row.
 */
function shortened(
  failed: SqlCondition,
  cases: readonly SqlCase[],
): readonly SqlCase[] {
  const lengths = cases.map(({ when }) => sqlOf(when).length);
  const longest = lengths.indexOf(Math.max(...lengths));
  return cases.map((one, i) => {
    if (i !== longest) return one;
    const others = cases.flatMap(({ when }, n) => (n === i ? [] : [when]));
    const rest = isNot(anyOf(failed, ...others));
    return sqlOf(rest).length < (lengths[i] ?? 0)
      ? { ...one, when: rest }
      : one;
  });
}

function keyOfValue(value: SqlValue): string {
  switch (value.kind) {
    case "constant":
      return `${typeof value.value} ${value.value}`;
    case "text":
    case "integer":
      return `${value.kind}: ${value.sql}`;
    case "list":
      return JSON.stringify([value.isMissing, value.elements.map(keyOfValue)]);
  }
}
