import { assertNever } from "../assert-never";
import { readPattern } from "../language/regex/pattern";
import { patternTexts } from "../language/regex/pattern-texts";
import { PLATFORMS } from "../language/tables/fields";
import { isBefore, lower, trim, upper } from "../language/text/text";
import {
  ALWAYS,
  constantSubject,
  ElementCondition,
  NEVER,
  numberWithin,
  or,
  relationSubject,
  SIZES,
  sizeSubject,
  TextLiteral,
  type Change,
  type Formula,
  type TextRelation,
  type TextSubject,
} from "./formula";
import {
  includes,
  intersection,
  isWithin,
  only,
  type Ranges,
} from "./integer-set";
import { hasPart, type PartOperator, type TextTest } from "./text-domain";

/** Longest text whose parts are all listed, in UTF-16 units: it has about as many as half its square. */
const MAX_LISTED = 40;

/** That a text passes a test. */
export function textPasses(subject: TextSubject, test: TextTest): Formula {
  switch (test.kind) {
    case "in":
      return isOneOf(subject, test.values);
    case "contains":
    case "startsWith":
    case "endsWith":
      if (test.part === "") return ALWAYS;
      return canHavePart(subject, test)
        ? new TextLiteral(subject, test)
        : NEVER;
    case "below":
      return test.than === "" ? NEVER : new TextLiteral(subject, test);
    case "above":
    case "pattern":
      return new TextLiteral(subject, test);
  }
}

/** That a text is one of some values. */
export function isOneOf(
  subject: TextSubject,
  values: Iterable<string>,
): Formula {
  const possible = [...values].filter((value) => canBe(subject, value));
  return possible.length === 0
    ? NEVER
    : new TextLiteral(subject, { kind: "in", values: new Set(possible) });
}

/** That a pattern matches a text: as comparisons, where it is no more than some of them. */
export function textMatches(subject: TextSubject, pattern: string): Formula {
  const read = readPattern(pattern);
  if ("mistake" in read) return NEVER;
  const whole: TextTest = { kind: "pattern", pattern };
  const known = patternTexts(pattern);
  if (!known?.isComplete) return textPasses(subject, whole);
  const { ignoresCase } = known;
  const hasBoth = known.texts.some((text) => text.atStart && text.atEnd);
  if (ignoresCase && hasBoth) return textPasses(subject, whole);
  const exact = known.texts.filter((text) => text.atStart && text.atEnd);
  return or(
    isOneOf(
      subject,
      exact.map(({ text }) => text),
    ),
    ...known.texts
      .filter((text) => !text.atStart || !text.atEnd)
      .map(({ text, atStart, atEnd }) =>
        textPasses(subject, {
          kind: atStart ? "startsWith" : atEnd ? "endsWith" : "contains",
          part: text,
          ignoresCase,
        }),
      ),
  );
}

/** That two texts stand in a relation. */
export function textsRelate(
  relation: TextRelation,
  left: TextSubject | string,
  right: TextSubject | string,
): Formula {
  if (typeof left === "string") {
    if (typeof right === "string")
      return areRelated(relation, left, right) ? ALWAYS : NEVER;
    return relatesFrom(relation, left, right);
  }
  if (typeof right === "string") return relatesTo(relation, left, right);
  if (left.key === right.key) return relation === "below" ? NEVER : ALWAYS;
  const [a, b] =
    relation === "==" && right.key < left.key ? [right, left] : [left, right];
  return numberWithin(relationSubject(relation, a, b), only(1n));
}

/** Whether two texts stand in a relation. */
export function areRelated(
  relation: TextRelation,
  left: string,
  right: string,
): boolean {
  if (relation === "==") return left === right;
  if (relation === "below") return isBefore(left, right);
  return hasPart(left, relation, right);
}

function relatesTo(
  relation: TextRelation,
  subject: TextSubject,
  text: string,
): Formula {
  if (relation === "==") return isOneOf(subject, [text]);
  return textPasses(
    subject,
    relation === "below"
      ? { kind: "below", than: text }
      : { kind: relation, part: text, ignoresCase: false },
  );
}

/** That a text is part of one that is known: one of its parts, where they can be listed. */
function relatesFrom(
  relation: TextRelation,
  text: string,
  subject: TextSubject,
): Formula {
  if (relation === "==") return isOneOf(subject, [text]);
  if (relation === "below")
    return textPasses(subject, { kind: "above", than: text });
  return text.length <= MAX_LISTED
    ? isOneOf(subject, partsOf(text, relation))
    : textsRelate(relation, constantSubject(text), subject);
}

function partsOf(text: string, relation: PartOperator): Set<string> {
  const parts = new Set<string>();
  const { length } = text;
  for (let from = 0; from <= length; from++) {
    if (relation === "startsWith") parts.add(text.slice(0, from));
    else if (relation === "endsWith") parts.add(text.slice(from));
    else
      for (let to = from; to <= length; to++) parts.add(text.slice(from, to));
  }
  return parts;
}

/** A text after `lower()` is what `lower()` leaves as it is; the same for others. */
function canBe(subject: TextSubject, value: string): boolean {
  if (subject.what === "field" && subject.field === "sdkPlatform")
    return PLATFORMS.includes(value);
  return subject.what !== "changed" || applyChange(subject.by, value) === value;
}

function canHavePart(
  subject: TextSubject,
  { part, ignoresCase }: { part: string; ignoresCase: boolean },
): boolean {
  if (subject.what !== "changed" || ignoresCase) return true;
  const { name } = subject.by;
  if (name === "trim") return true;
  return (name === "lower" ? lower(part) : upper(part)) === part;
}

/** That a header was not sent. */
export function isMissing(header: string): Formula {
  return numberWithin(sizeSubject(header), only(-1n));
}

/** That a header has a value at an index; from the end, if negative. */
export function hasElement(header: string, index: bigint): Formula {
  const least = index < 0n ? -index : index + 1n;
  return numberWithin(sizeSubject(header), atLeast(least));
}

/** That some value of a header meets a condition. */
export function exists(condition: ElementCondition): Formula {
  const { some } = condition;
  if (some === NEVER) return NEVER;
  if (some === ALWAYS) return hasElement(condition.header, 0n);
  return numberWithin(condition.exists, only(1n));
}

/** That some value of a header is a text. */
export function isSomeValue(
  header: string,
  text: TextSubject | string,
): Formula {
  const other = typeof text === "string" ? JSON.stringify(text) : text.key;
  const key = `${JSON.stringify(header)} # == ${other}`;
  return exists(
    new ElementCondition(header, key, (element) =>
      textsRelate("==", element, text),
    ),
  );
}

/** That the number of values that meet a condition is among some; undefined where that takes more than whether any does. */
export function numberOfMatches(
  condition: ElementCondition,
  counts: Ranges,
): Formula | undefined {
  const isSome = isWithin(atLeast(1n), counts);
  const isNone = includes(counts, 0n);
  if (isSome === undefined) return undefined;
  if (isSome === isNone) return isSome ? ALWAYS : NEVER;
  const some = exists(condition);
  return isSome ? some : some.opposite;
}

/** Numbers of values that are no less than one; without a header that was not sent. */
export function atLeast(least: bigint): Ranges {
  return intersection(SIZES, [[least, least > 2n ** 33n ? least : 2n ** 33n]]);
}

/** A text after `lower`, `upper` or `trim`. */
export function applyChange({ name, cutset }: Change, text: string): string {
  switch (name) {
    case "lower":
      return lower(text);
    case "upper":
      return upper(text);
    case "trim":
      return trim(text, cutset);
    default:
      return assertNever(name);
  }
}
