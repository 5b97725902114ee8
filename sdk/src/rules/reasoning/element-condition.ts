import { decide } from "./decide";
import type { Formula } from "./formula";
import type { TextSubject } from "./subject";

/** What is asked of each value of a header, which surely has an answer. */
export interface ElementCondition {
  readonly header: string;
  /** Two with the same key are the same. */
  readonly key: string;
  /** The value that meets it, if any does. */
  readonly subject: TextSubject;
  /** That this one does. */
  readonly some: Formula;
  /** That a text meets it. */
  readonly of: (element: TextSubject) => Formula;
  /** Whether a text meets it; undefined where that depends on more. */
  readonly says: (text: string) => boolean | undefined;
}

/** A condition for the values of a header. */
export function elementConditionOf(
  header: string,
  key: string,
  of: (element: TextSubject) => Formula,
): ElementCondition {
  const subject: TextSubject = {
    kind: "text",
    key: `some ${key}`,
    what: "some",
    header,
  };
  const some = of(subject);
  const says = (text: string) => decide(some, subject.key, text);
  return { header, key, subject, some, of, says };
}
