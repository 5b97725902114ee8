import { PLATFORMS } from "../language/tables/fields";
import {
  tiesOf,
  type Formula,
  type Literal,
  type NumberSubject,
  type Subject,
  type TextSubject,
} from "./formula";
import { intersection, isWithin, type Ranges } from "./integer-set";
import { TextDomain, type Narrowed } from "./text-domain";

/** What is known of a request so far: for each subject, what it may still be. */
export class Knowledge {
  readonly #numbers = new Map<string, Ranges>();
  readonly #texts = new Map<string, { domain: TextDomain; mark: number }>();
  readonly #related = new Map<string, Set<Subject>>();
  readonly #noted = new Set<string>();
  readonly #done = new Set<string>();
  readonly #undo: (() => void)[] = [];
  /** Where the last mark was set: what was made since may be changed in place. */
  #mark = 0;

  /** A point to come back to. */
  mark(): number {
    this.#mark = this.#undo.length;
    return this.#mark;
  }

  /** Forgets what was learnt since a mark. */
  backTo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
    this.#mark = mark;
  }

  /** Something else that is to be taken back with what was learnt. */
  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** What a number may be. */
  numbers(subject: NumberSubject): Ranges {
    return this.#numbers.get(subject.key) ?? subject.all;
  }

  /** What a text may be. */
  texts(subject: TextSubject): TextDomain {
    return this.#texts.get(subject.key)?.domain ?? initialDomain(subject);
  }

  /** Whether a truth is known, and which. */
  truth(subject: NumberSubject): boolean | undefined {
    const [range, more] = this.numbers(subject);
    if (!range || more || range[0] !== range[1]) return undefined;
    return range[0] === 1n;
  }

  /** What is known of a formula, without looking into it. */
  saysOf(formula: Formula): boolean | undefined {
    if (formula.kind === "constant") return formula.value;
    return formula.kind === "text" || formula.kind === "number"
      ? this.says(formula)
      : undefined;
  }

  /** Whether something is done for the first time since it was last taken back. */
  once(key: string): boolean {
    if (this.#done.has(key)) return false;
    this.#done.add(key);
    this.#undo.push(() => this.#done.delete(key));
    return true;
  }

  /** Whether anything was learnt of a subject, be it that it is there. */
  has({ kind, key }: Subject): boolean {
    return kind === "text"
      ? this.#texts.has(key) || this.#noted.has(key)
      : this.#numbers.has(key);
  }

  /** Learns that there is a text. */
  note(subject: TextSubject): void {
    const { key } = subject;
    if (this.#noted.has(key)) return;
    this.#noted.add(key);
    this.#undo.push(() => this.#noted.delete(key));
    this.#relate(subject);
  }

  /** What is known of a statement. */
  says(literal: Literal): boolean | undefined {
    if (literal.kind === "number")
      return isWithin(this.numbers(literal.subject), literal.within);
    const said = this.texts(literal.subject).says(literal.test);
    return said === undefined ? undefined : said === literal.result;
  }

  /** Learns that a statement holds. */
  learn(literal: Literal): Narrowed {
    const { subject } = literal;
    if (literal.kind === "number") {
      const before = this.numbers(literal.subject);
      const left = intersection(before, literal.within);
      if (left.length === 0) return "nothing";
      if (isWithin(before, left)) return "same";
      this.#set(this.#numbers, subject.key, left);
    } else {
      const domain = this.#ownTexts(literal.subject);
      const narrowed = domain.narrow(literal.test, literal.result);
      if (narrowed !== "less") return narrowed;
    }
    this.#relate(subject);
    return "less";
  }

  /** Whether anything was learnt of a subject, or of one that is tied to it. */
  concerns(subject: Subject): boolean {
    return this.has(subject) || this.relatedTo(subject.key).length > 0;
  }

  /** Subjects that are tied to a text, or to a header as it is spelt, and of which something was learnt. */
  relatedTo(key: string): Subject[] {
    const related = this.#related.get(key) ?? [];
    return [...related].filter((subject) => this.has(subject));
  }

  /** Every subject of which something was learnt. */
  known(): Subject[] {
    return this.relatedTo("");
  }

  /** The numbers of values of all headers of which something was learnt. */
  sizes(): Extract<NumberSubject, { readonly what: "size" }>[] {
    return this.known().filter((subject) => subject.what === "size");
  }

  #ownTexts(subject: TextSubject): TextDomain {
    const known = this.#texts.get(subject.key);
    if (known?.mark === this.#mark) return known.domain;
    const domain = new TextDomain(this.texts(subject));
    this.#set(this.#texts, subject.key, { domain, mark: this.#mark });
    return domain;
  }

  #set<Value>(map: Map<string, Value>, key: string, value: Value): void {
    const before = map.get(key);
    map.set(key, value);
    this.#undo.push(() => {
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    });
  }

  #relate(subject: Subject): void {
    for (const key of ["", ...tiesOf(subject)]) {
      const related = this.#related.get(key) ?? new Set();
      this.#related.set(key, related.add(subject));
    }
  }
}

/** Never changed: what is learnt goes into a copy. */
const ANY_TEXT = new TextDomain();
const ANY_PLATFORM = new TextDomain();
ANY_PLATFORM.narrow({ kind: "in", values: new Set(PLATFORMS) }, true);

/** What a text may be that nothing was learnt of. */
function initialDomain(subject: TextSubject): TextDomain {
  if (subject.what === "field" && subject.field === "sdkPlatform")
    return ANY_PLATFORM;
  if (subject.what !== "constant") return ANY_TEXT;
  const domain = new TextDomain();
  domain.narrow({ kind: "in", values: new Set([subject.value]) }, true);
  return domain;
}
