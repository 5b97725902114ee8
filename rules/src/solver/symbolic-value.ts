import {
  ALWAYS,
  and,
  NEVER,
  or,
  type ElementCondition,
  type Formula,
  type NumberSubject,
  type TextSubject,
} from "./formula";
import type { Ranges } from "./integer-set";

/** What a part of an expression is, as far as it can be reasoned about. */
export type Operand =
  | { readonly kind: "constant"; readonly value: ConstantValue }
  | { readonly kind: "text"; readonly subject: TextSubject }
  | { readonly kind: "number"; readonly subject: NumberSubject }
  /** The values of a header; of one that was not sent, an empty list that is nil. */
  | { readonly kind: "header"; readonly name: string }
  /** The values of a header that meet a condition, or how many they are. */
  | { readonly kind: "filtered"; readonly condition: ElementCondition }
  | { readonly kind: "matches"; readonly condition: ElementCondition }
  | { readonly kind: "list"; readonly elements: readonly Operand[] }
  | { readonly kind: "headers" | "ip" | "group" }
  | { readonly kind: "network"; readonly addresses: Ranges };

/** The value of a literal. Integers are `bigint`; nil is `null`. */
export type ConstantValue = boolean | string | bigint | number | null;

/** What an expression may be in which case. */
export interface Case {
  readonly when: Formula;
  readonly operand: Operand;
}

/** What an expression comes to for any request. */
export interface Meaning {
  /** That it does not fail. */
  readonly defined: Formula;
  /** Where it is defined, exactly one of them applies. */
  readonly cases: readonly Case[];
}

/** What a boolean expression comes to; where it is neither nil nor holds, it is false. */
export interface Truth {
  readonly defined: Formula;
  readonly isNil: Formula;
  readonly holds: Formula;
}

/** Cases that one meaning may have; more are not reasoned about. */
const MAX_CASES = 64;

/** The meaning of what is always the same. */
export function always(operand: Operand, defined: Formula = ALWAYS): Meaning {
  return { defined, cases: [{ when: ALWAYS, operand }] };
}

/** The meaning of a literal. */
export function constant(value: ConstantValue): Meaning {
  return always({ kind: "constant", value });
}

/** The meaning of what always fails. */
export const FAILS: Meaning = { defined: NEVER, cases: [] };

/** The meaning of what is true or false. */
export function truth(holds: Formula, defined: Formula = ALWAYS): Meaning {
  return fromTruth({ defined, isNil: NEVER, holds });
}

/** The meaning of a boolean expression. */
export function fromTruth({ defined, isNil, holds }: Truth): Meaning {
  const cases = [
    { when: and(holds, isNil.opposite), value: true },
    { when: and(holds.opposite, isNil.opposite), value: false },
    { when: isNil, value: null },
  ];
  return {
    defined,
    cases: cases
      .filter(({ when }) => when !== NEVER)
      .map(({ when, value }) => ({
        when,
        operand: { kind: "constant", value },
      })),
  };
}

/** A boolean meaning, whose cases are constants. */
export function truthOf({ defined, cases }: Meaning): Truth {
  const when = (value: ConstantValue) =>
    or(
      ...cases
        .filter(({ operand: o }) => o.kind === "constant" && o.value === value)
        .map((one) => one.when),
    );
  return { defined, isNil: when(null), holds: when(true) };
}

/**
 * The meaning of what is made from others, which are evaluated before it: of
 * each combination of their operands. Undefined where that cannot be told.
 */
export function combine(
  parts: readonly Meaning[],
  make: (...operands: Operand[]) => Meaning | undefined,
): Meaning | undefined {
  let combinations: { when: Formula; operands: Operand[] }[] = [
    { when: ALWAYS, operands: [] },
  ];
  for (const { cases } of parts) {
    combinations = combinations.flatMap(({ when, operands }) =>
      cases.map((one) => ({
        when: and(when, one.when),
        operands: [...operands, one.operand],
      })),
    );
    if (combinations.length > MAX_CASES) return undefined;
  }
  const defined: Formula[] = parts.map((part) => part.defined);
  const cases: Case[] = [];
  for (const { when, operands } of combinations) {
    const made = make(...operands);
    if (!made) return undefined;
    defined.push(or(when.opposite, made.defined));
    for (const one of made.cases) {
      const both = and(when, one.when);
      if (both !== NEVER) cases.push({ when: both, operand: one.operand });
    }
  }
  if (cases.length > MAX_CASES) return undefined;
  return merged({ defined: and(...defined), cases });
}

/** Truths have a case each at most. */
function merged(meaning: Meaning): Meaning {
  const { cases } = meaning;
  const areTruths = cases.every(
    ({ operand }) =>
      operand.kind === "constant" &&
      (typeof operand.value === "boolean" || operand.value === null),
  );
  return areTruths && cases.length > 1 ? fromTruth(truthOf(meaning)) : meaning;
}

/**
 * What `&&` or `||` between truths comes to. The first that decides does so; nil
 * fails but at the end of the chain, where it passes unless it is refused.
 */
export function logicTruth(
  operator: "&&" | "||",
  truths: readonly Truth[],
): Truth {
  const decides = operator === "||";
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

/** That a truth is neither a failure nor nil. */
export function definite({ defined, isNil }: Truth): Formula {
  return and(defined, isNil.opposite);
}

/** A truth whose nil is a failure. */
export function strict(truth: Truth): Truth {
  return { defined: definite(truth), isNil: NEVER, holds: truth.holds };
}

/** What `!` makes of a truth. */
export function notTruth(truth: Truth): Truth {
  return { ...strict(truth), holds: truth.holds.opposite };
}
