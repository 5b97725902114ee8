import { difference, isWithin, type Ranges } from "./ranges";
import type { NumberSubject, TextSubject } from "./subject";
import type { TextTest } from "./text-test";

/**
 * A statement about a request that either holds or does not. Formulas are never
 * changed, and parts of them may be shared. Each is made with its opposite, so
 * that no depth is too much for turning one around.
 */
export type Formula = Constant | Literal | Junction;

/** A statement about one subject. */
export type Literal = TextLiteral | NumberLiteral;

/** Holds always, or never. */
export class Constant {
  readonly kind = "constant";
  readonly opposite: Constant;

  constructor(
    readonly value: boolean,
    opposite?: Constant,
  ) {
    this.opposite = opposite ?? new Constant(!value, this);
  }
}

/** Holds where a test says so of a text, or where it does not. */
export class TextLiteral {
  readonly kind = "text";
  readonly opposite: TextLiteral;

  constructor(
    readonly subject: TextSubject,
    readonly test: TextTest,
    readonly result = true,
    opposite?: TextLiteral,
  ) {
    this.opposite = opposite ?? new TextLiteral(subject, test, !result, this);
  }
}

/** Holds where a number lies in a set. */
export class NumberLiteral {
  readonly kind = "number";
  readonly opposite: NumberLiteral;

  constructor(
    readonly subject: NumberSubject,
    readonly within: Ranges,
    opposite?: NumberLiteral,
  ) {
    this.opposite =
      opposite ??
      new NumberLiteral(subject, difference(subject.all, within), this);
  }
}

/** Holds where all of two or more parts hold, or at least one. */
export class Junction {
  readonly opposite: Junction;

  constructor(
    readonly kind: "and" | "or",
    readonly parts: readonly Formula[],
    opposite?: Junction,
  ) {
    this.opposite =
      opposite ??
      new Junction(
        kind === "and" ? "or" : "and",
        parts.map((part) => part.opposite),
        this,
      );
  }
}

/** Holds always. */
export const ALWAYS: Formula = new Constant(true);
/** Holds never. */
export const NEVER: Formula = ALWAYS.opposite;

/** Holds where a number lies in a set. */
export function numberWithin(subject: NumberSubject, within: Ranges): Formula {
  const said = isWithin(subject.all, within);
  if (said !== undefined) return said ? ALWAYS : NEVER;
  return new NumberLiteral(subject, within);
}

/** Holds where every part does. */
export function and(...parts: readonly Formula[]): Formula {
  return junction("and", parts);
}

/** Holds where at least one part does. */
export function or(...parts: readonly Formula[]): Formula {
  return junction("or", parts);
}

function junction(kind: "and" | "or", parts: readonly Formula[]): Formula {
  const [neutral, deciding] =
    kind === "and" ? [ALWAYS, NEVER] : [NEVER, ALWAYS];
  const kept = new Set<Formula>();
  for (const part of parts)
    for (const one of part.kind === kind ? part.parts : [part]) {
      if (one === deciding || kept.has(one.opposite)) return deciding;
      if (one !== neutral) kept.add(one);
    }
  const left = [...kept].filter((part) => !isDoubled(part, kept));
  const [first] = left;
  if (!first) return neutral;
  return left.length === 1 ? first : new Junction(kind, left);
}

/** `a && (a || b)` is `a`. */
function isDoubled(part: Formula, among: ReadonlySet<Formula>): boolean {
  return (
    (part.kind === "and" || part.kind === "or") &&
    part.parts.some((inner) => among.has(inner))
  );
}
