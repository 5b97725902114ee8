import { wellFormed } from "../language/syntax/characters";
import { lengthOf } from "../language/eval/text";
import { applyChange } from "./apply-change";
import { numberWithin, type Formula } from "./formula";
import type { Knowledge } from "./knowledge";
import { difference, includes, only } from "./ranges";
import { LENGTHS, type NumberSubject, type TextSubject } from "./subject";
import { areRelated, isOneOf, textPasses, textsRelate } from "./text-formula";

type Changed = Extract<TextSubject, { what: "changed" }>;
type Length = Extract<NumberSubject, { what: "length" }>;
type Relation = Extract<NumberSubject, { what: "relation" }>;

/** Most values of a text that are gone through. */
const MAX_VALUES = 64;

/** A text and what `lower()`, `upper()` or `trim()` makes of it. */
export function ofChange(subject: Changed, knowledge: Knowledge): Formula[] {
  const values = valuesOf(subject.of, knowledge);
  if (!values) return partsOfChange(subject, knowledge);
  const domain = knowledge.texts(subject);
  const kept = values.filter((value) =>
    domain.has(applyChange(subject.by, value)),
  );
  return [
    isOneOf(subject.of, kept),
    isOneOf(
      subject,
      kept.map((value) => applyChange(subject.by, value)),
    ),
  ];
}

/** What a text contains, its lower case contains in lower case. */
function partsOfChange(subject: Changed, knowledge: Knowledge): Formula[] {
  const { of, by } = subject;
  if (by.name === "trim") return [];
  return knowledge
    .texts(of)
    .passed.flatMap((test) =>
      "part" in test && !test.ignoresCase && wellFormed(test.part) === test.part
        ? [textPasses(subject, { ...test, part: applyChange(by, test.part) })]
        : [],
    );
}

export function ofLength(subject: Length, knowledge: Knowledge): Formula[] {
  const { of } = subject;
  const lengths = knowledge.numbers(subject);
  const values = valuesOf(of, knowledge);
  if (values)
    return [
      isOneOf(
        of,
        values.filter((value) => includes(lengths, BigInt(lengthOf(value)))),
      ),
    ];
  const domain = knowledge.texts(of);
  const parts = domain.passed.map((test) =>
    "part" in test ? lengthOf(test.part) : 0,
  );
  const least = domain.has("") ? 0 : 1;
  const longer = Math.max(least, ...parts);
  const possible =
    longer > 0 ? difference(LENGTHS, [[0n, BigInt(longer) - 1n]]) : LENGTHS;
  const isEmpty = isOneOf(of, [""]);
  const ofText = includes(lengths, 0n)
    ? lengths.length === 1 && lengths[0]?.[1] === 0n
      ? [isEmpty]
      : []
    : [isEmpty.opposite];
  return [numberWithin(subject, possible), ...ofText];
}

/** Once it is known whether two texts stand in a relation, each tells of the other. */
export function ofRelation(subject: Relation, knowledge: Knowledge): Formula[] {
  const { relation, left, right } = subject;
  const [a, b] = [onlyValue(left, knowledge), onlyValue(right, knowledge)];
  if (a !== undefined && b !== undefined)
    return [numberWithin(subject, only(areRelated(relation, a, b) ? 1n : 0n))];
  const holds = knowledge.truth(subject);
  if (holds === undefined) return [];
  const found: Formula[] = [];
  const known = (formula: Formula) => (holds ? formula : formula.opposite);
  if (a !== undefined) found.push(known(textsRelate(relation, a, right)));
  if (b !== undefined) found.push(known(textsRelate(relation, left, b)));
  if (relation === "==" && holds && a === undefined && b === undefined) {
    const [x, y] = [valuesOf(left, knowledge), valuesOf(right, knowledge)];
    if (x) found.push(isOneOf(right, x));
    if (y) found.push(isOneOf(left, y));
  }
  return found;
}

/** The values that a text may have, where they are few. */
export function valuesOf(
  subject: TextSubject,
  knowledge: Knowledge,
): readonly string[] | undefined {
  const domain = knowledge.texts(subject);
  const { values } = domain;
  if (values) return values.size <= MAX_VALUES ? [...values] : undefined;
  if (subject.what !== "changed") return undefined;
  const before = valuesOf(subject.of, knowledge);
  const after = before?.map((value) => applyChange(subject.by, value));
  return after?.filter((value) => domain.has(value));
}

function onlyValue(subject: TextSubject, knowledge: Knowledge) {
  const values = valuesOf(subject, knowledge);
  return values?.length === 1 ? values[0] : undefined;
}
