import { assertNever } from "../assert-never";
import { EXCLUDED_FLAG } from "../language/bot-flags";
import { numberWithin, type Formula } from "./formula";
import { ofElement, ofExists, ofHeaders, ofSize } from "./header-ties";
import type { Knowledge } from "./knowledge";
import { only } from "./ranges";
import { flagSubject, type NumberSubject, type Subject } from "./subject";
import { ofChange, ofLength, ofRelation } from "./text-ties";

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
