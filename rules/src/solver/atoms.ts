import { readPattern } from "../language/regex/pattern";
import { patternTexts } from "../language/regex/pattern-texts";
import { functionsOf, rowOf } from "../language/tables/lookup";
import type { PartPlace } from "../language/tables/operators";
import {
  ALWAYS,
  ElementPredicate,
  NEVER,
  numberWithin,
  or,
  SIZES,
  sizeVariable,
  TextLiteral,
  type Formula,
  type NumberVariable,
  type TextMapping,
  type TextRelation,
  type TextVariable,
} from "./formula";
import { intersection, only, type IntegerSet } from "./integer-set";
import { passes, type TextTest } from "./text-domain";

/** Longest text, in UTF-16 units, whose parts are listed: their number grows with the square of it. */
const MAX_LISTED = 40;

/** Holds where a boolean variable is true. */
export function isTrue(variable: NumberVariable): Formula {
  return numberWithin(variable, only(1n));
}

/** Holds where a text passes a test. */
export function textSatisfies(variable: TextVariable, test: TextTest): Formula {
  switch (test.kind) {
    case "in":
      return isOneOf(variable, test.values);
    case "part":
      if (test.part === "") return ALWAYS;
      return canHavePart(variable, test)
        ? new TextLiteral(variable, test)
        : NEVER;
    case "below":
      return test.than === "" ? NEVER : new TextLiteral(variable, test);
    case "above":
    case "pattern":
      return new TextLiteral(variable, test);
  }
}

/** Holds where a text is one of some values. */
export function isOneOf(
  variable: TextVariable,
  values: Iterable<string>,
): Formula {
  const possible = [...values].filter((value) => canBe(variable, value));
  return possible.length === 0
    ? NEVER
    : new TextLiteral(variable, { kind: "in", values: new Set(possible) });
}

/** Holds where a pattern matches a text. A pattern that only looks for some texts becomes tests for them. */
export function textMatches(variable: TextVariable, pattern: string): Formula {
  const read = readPattern(pattern);
  if ("mistake" in read) return NEVER;
  const whole: TextTest = { kind: "pattern", pattern };
  const sought = patternTexts(pattern);
  if (!sought?.isComplete) return textSatisfies(variable, whole);
  const { ignoresCase, texts } = sought;
  const exact = texts.filter(({ atStart, atEnd }) => atStart && atEnd);
  if (ignoresCase && exact.length > 0) return textSatisfies(variable, whole);
  return or(
    isOneOf(
      variable,
      exact.map(({ text }) => text),
    ),
    ...texts
      .filter(({ atStart, atEnd }) => !atStart || !atEnd)
      .map(({ text: part, atStart, atEnd }) => {
        const place = atStart ? "start" : atEnd ? "end" : "anywhere";
        return textSatisfies(variable, {
          kind: "part",
          place,
          part,
          ignoresCase,
        });
      }),
  );
}

/**
 * Holds where two texts, of which at least one is given, stand in a relation. Undefined
 * for two variables, which the solver does not compare, and for a text with too many
 * parts.
 */
export function textsRelate(
  relation: TextRelation,
  left: TextVariable | string,
  right: TextVariable | string,
): Formula | undefined {
  if (typeof left === "string" && typeof right === "string")
    return passes(testOf(relation, right), left) ? ALWAYS : NEVER;
  if (typeof left === "string")
    return typeof right === "string"
      ? undefined
      : relatesFrom(relation, left, right);
  if (typeof right === "string")
    return textSatisfies(left, testOf(relation, right));
  if (left.key !== right.key) return undefined;
  return relation === "below" ? NEVER : ALWAYS;
}

/** The test that a text passes if it stands in a relation to a given one. */
function testOf(relation: TextRelation, given: string): TextTest {
  if (relation === "==") return { kind: "in", values: new Set([given]) };
  return relation === "below"
    ? { kind: "below", than: given }
    : { kind: "part", place: relation, part: given, ignoresCase: false };
}

function relatesFrom(
  relation: TextRelation,
  text: string,
  variable: TextVariable,
): Formula | undefined {
  if (relation === "==") return isOneOf(variable, [text]);
  if (relation === "below")
    return textSatisfies(variable, { kind: "above", than: text });
  // The variable is a part of a given text: one of its parts, if they can be listed.
  return text.length <= MAX_LISTED
    ? isOneOf(variable, partsOf(text, relation))
    : undefined;
}

function partsOf(text: string, place: PartPlace): Set<string> {
  const parts = new Set<string>();
  const { length } = text;
  for (let from = 0; from <= length; from++) {
    if (place === "start") parts.add(text.slice(0, from));
    else if (place === "end") parts.add(text.slice(from));
    else
      for (let to = from; to <= length; to++) parts.add(text.slice(from, to));
  }
  return parts;
}

/** Whether a variable can have a value, as far as the variable alone tells. */
function canBe(variable: TextVariable, value: string): boolean {
  if (variable.what === "field") {
    const { symbolic } = variable.field;
    return symbolic?.kind === "variable" && symbolic.values
      ? symbolic.values.includes(value)
      : true;
  }
  // For functions that the solver reasons about, applying them twice is the same as
  // once.
  return (
    variable.what !== "mapped" || applyMapping(variable.by, value) === value
  );
}

function canHavePart(
  variable: TextVariable,
  { part, ignoresCase }: { part: string; ignoresCase: boolean },
): boolean {
  if (variable.what !== "mapped" || ignoresCase) return true;
  const { by } = variable;
  return !isEachCharacter(by) || applyMapping(by, part) === part;
}

/** Whether a function maps each character of a text for itself. */
export function isEachCharacter({ name }: TextMapping): boolean {
  const { symbolic } = rowOf(functionsOf.text, name);
  return symbolic?.isEachCharacter ?? false;
}

/** A given text after a function. */
export function applyMapping(
  { name, second }: TextMapping,
  text: string,
): string {
  return rowOf(functionsOf.text, name).apply(text, second);
}

/** Holds where a header was not sent. */
export function isMissing(header: string): Formula {
  return numberWithin(sizeVariable(header), only(-1n));
}

/** Holds where a header has a value at an index, which counts from the end if it is negative. */
export function hasElement(header: string, index: bigint): Formula {
  const least = index < 0n ? -index : index + 1n;
  return numberWithin(sizeVariable(header), atLeast(least));
}

/** Holds where some value of a header meets a predicate. */
export function exists(predicate: ElementPredicate): Formula {
  const { some } = predicate;
  if (some === NEVER || hasElement(predicate.header, 0n) === NEVER)
    return NEVER;
  if (some === ALWAYS) return hasElement(predicate.header, 0n);
  return isTrue(predicate.exists);
}

/** Holds where some value of a header equals a given text. */
export function isSomeValue(header: string, text: string): Formula {
  const key = `${JSON.stringify(header)} # == ${JSON.stringify(text)}`;
  return exists(
    new ElementPredicate(header, key, 1, (element) => isOneOf(element, [text])),
  );
}

/** The numbers of header values from a least one on. */
export function atLeast(least: bigint): IntegerSet {
  return intersection(SIZES, [[least, least > 2n ** 33n ? least : 2n ** 33n]]);
}
