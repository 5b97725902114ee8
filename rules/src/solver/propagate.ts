import { assertNever } from "../assert-never";
import { EXCLUDED_FLAG } from "../language/request/bot-flags";
import { wellFormed } from "../language/text/characters";
import { lengthOf } from "../language/text/text";
import {
  applyChange,
  areRelated,
  atLeast,
  hasElement,
  isMissing,
  isOneOf,
  textPasses,
  textsRelate,
} from "./atoms";
import type { Knowledge } from "./constraint-store";
import {
  conditionTie,
  elementSubject,
  flagSubject,
  HEADERS,
  headerTie,
  LENGTHS,
  numberWithin,
  rootsOf,
  sizeSubject,
  type ElementCondition,
  type ElementSubject,
  type Formula,
  type NumberSubject,
  type Subject,
  type TextSubject,
} from "./formula";
import { difference, includes, only } from "./integer-set";

/** What follows from what was just learnt of a subject, for what is tied to it. */
export function consequences(
  subject: Subject,
  knowledge: Knowledge,
): Formula[] {
  if (subject.kind === "number") return ofNumber(subject, knowledge);
  const found: Formula[] = [];
  if (subject.what === "changed") found.push(...ofChange(subject, knowledge));
  if (subject.what === "element" || subject.what === "some")
    found.push(...ofElement(subject, knowledge));
  for (const tied of knowledge.relatedTo(subject.key))
    if (tied.what === "changed") found.push(...ofChange(tied, knowledge));
    else if (tied.kind === "number") found.push(...ofNumber(tied, knowledge));
  return found;
}

function ofNumber(subject: NumberSubject, knowledge: Knowledge): Formula[] {
  switch (subject.what) {
    case "length":
      return ofLength(subject, knowledge);
    case "relation":
      return ofRelation(subject, knowledge);
    case "headers":
      return ofHeaders(knowledge);
    case "size":
      return [...ofSize(subject.header, knowledge), ...ofHeaders(knowledge)];
    case "exists": {
      const isMet = knowledge.truth(subject);
      return isMet === undefined
        ? []
        : ofExists(subject.condition, isMet, knowledge);
    }
    case "flag":
      return knowledge.truth(subject)
        ? [numberWithin(flagSubject(EXCLUDED_FLAG[subject.field]), only(0n))]
        : [];
    case "ip":
    case "outcome":
      return [];
    default:
      return assertNever(subject);
  }
}

/** What a header has, its conditions are about. */
export function ofSize(header: string, knowledge: Knowledge): Formula[] {
  return elementsOf(header, knowledge).flatMap((element) =>
    ofElement(element, knowledge),
  );
}

/** There are as many headers as are known to be there, or more. */
export function ofHeaders(knowledge: Knowledge): Formula[] {
  if (!knowledge.has(HEADERS)) return [];
  const present = new Set<string>();
  const unsure: Formula[] = [];
  for (const { header } of knowledge.sizes()) {
    const isAbsent = knowledge.saysOf(isMissing(header));
    if (isAbsent === false) present.add(header.toLowerCase());
    else if (isAbsent === undefined) unsure.push(isMissing(header));
  }
  const least = BigInt(present.size);
  const most = knowledge.numbers(HEADERS).at(-1)?.[1];
  return [
    numberWithin(HEADERS, atLeast(least)),
    ...(most === least ? unsure : []),
  ];
}

/** A condition that some value meets, or none does. */
export function ofExists(
  condition: ElementCondition,
  isMet: boolean,
  knowledge: Knowledge,
): Formula[] {
  const { header, some, subject } = condition;
  if (isMet) {
    knowledge.note(subject);
    return [hasElement(header, 0n), some, ...ofElement(subject, knowledge)];
  }
  return elementsOf(header, knowledge).flatMap((element) =>
    refused(condition, element, knowledge),
  );
}

/** A value of a header meets none of the conditions that none of its values meets. */
export function ofElement(
  element: ElementSubject,
  knowledge: Knowledge,
): Formula[] {
  const found: Formula[] = [];
  if (!isThere(element, knowledge)) return found;
  if (element.what === "element" && element.index < 0)
    found.push(...ofLast(element, knowledge));
  // Of a text that may be anything, they are told once; later ones tell it themselves.
  const isOpen = knowledge.texts(element).values === undefined;
  if (isOpen && !knowledge.once(`conditions of ${element.key}`)) return found;
  for (const tied of knowledge.relatedTo(conditionTie(element.header)))
    if (tied.what === "exists" && knowledge.truth(tied) === false)
      found.push(...refused(tied.condition, element, knowledge));
  return found;
}

/** A value from the end is one from the start, once the number of values is known. */
function ofLast(
  element: ElementSubject & { readonly index: number },
  knowledge: Knowledge,
): Formula[] {
  const { header, index } = element;
  const [range, more] = knowledge.numbers(sizeSubject(header));
  if (!range || more || range[0] !== range[1]) return [];
  const same = elementSubject(header, Number(range[0]) + index);
  return [textsRelate("==", element, same)];
}

/** The values of a header that are known to be there and that something is known of; its first in any case. */
export function elementsOf(
  header: string,
  knowledge: Knowledge,
): ElementSubject[] {
  const first = elementSubject(header, 0);
  const found = new Map<string, ElementSubject>([[first.key, first]]);
  for (const tied of knowledge.relatedTo(headerTie(header)))
    for (const root of rootsOf(tied))
      if ("header" in root && root.header === header) found.set(root.key, root);
  return [...found.values()].filter((element) => isThere(element, knowledge));
}

function isThere(element: ElementSubject, knowledge: Knowledge): boolean {
  if (element.what === "some") return knowledge.truth(element.exists) === true;
  return (
    knowledge.saysOf(hasElement(element.header, BigInt(element.index))) === true
  );
}

function refused(
  condition: ElementCondition,
  element: ElementSubject,
  knowledge: Knowledge,
): Formula[] {
  const values = valuesOf(element, knowledge);
  const said = values?.map((value) => condition.says(value));
  if (!values || !said || said.includes(undefined)) {
    const isNew = knowledge.once(`${element.key} ${condition.key}`);
    return isNew ? [condition.of(element).opposite] : [];
  }
  const kept = values.filter((_, i) => said[i] === false);
  return kept.length < values.length ? [isOneOf(element, kept)] : [];
}

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
