import type { ElementCondition } from "./element-condition";
import { numberWithin, type Formula } from "./formula";
import { atLeast, hasElement, isMissing } from "./header-formula";
import type { Knowledge } from "./knowledge";
import {
  elementSubject,
  conditionTie,
  headerTie,
  HEADERS,
  rootsOf,
  sizeSubject,
  type ElementSubject,
} from "./subject";
import { isOneOf, textsRelate } from "./text-formula";
import { valuesOf } from "./text-ties";

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
