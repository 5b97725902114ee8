import { decide } from "./decide";
import { TextLiteral, type Formula } from "./formula";
import { TRUTHS, type NumberSubject, type TextSubject } from "./subject";

/** What is asked of each value of a header, which surely has an answer. */
export class ElementCondition {
  /** Whether any value meets it. */
  readonly exists: NumberSubject;
  /** The value that meets it, if any does. */
  readonly subject: Extract<TextSubject, { what: "some" }>;
  /** That this one does. */
  readonly some: Formula;

  readonly #of: (element: TextSubject) => Formula;

  /** Two with the same key are the same; `of` says that a text meets it. */
  constructor(
    readonly header: string,
    readonly key: string,
    of: (element: TextSubject) => Formula,
  ) {
    this.#of = of;
    this.exists = {
      kind: "number",
      key: `exists ${key}`,
      all: TRUTHS,
      what: "exists",
      condition: this,
    };
    this.subject = {
      kind: "text",
      key: `some ${key}`,
      what: "some",
      header,
      exists: this.exists,
    };
    this.some = of(this.subject);
  }

  /** That a text meets it. */
  of(element: TextSubject): Formula {
    const { some } = this;
    if (some.kind !== "text" || some.subject !== this.subject)
      return this.#of(element);
    const literal = new TextLiteral(element, some.test);
    return some.result ? literal : literal.opposite;
  }

  /** Whether a text meets it; undefined where that depends on more. */
  says(text: string): boolean | undefined {
    return decide(this.some, this.subject.key, text);
  }
}
