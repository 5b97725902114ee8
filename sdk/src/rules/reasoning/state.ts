import type { Literal } from "./formula";
import { intersection, isWithin, type Ranges } from "./ranges";
import type { NumberSubject, Subject, TextSubject } from "./subject";
import { TextDomain } from "./text-domain";

/** What is known of one subject, since when. */
type Known =
  | {
      readonly kind: "text";
      readonly subject: TextSubject;
      readonly domain: TextDomain;
      readonly since: number;
    }
  | {
      readonly kind: "number";
      readonly subject: NumberSubject;
      readonly ranges: Ranges;
      readonly since: number;
    };

/** What is known of a request: for each subject, what it may be. It can be taken back to an earlier mark. */
export class State {
  readonly #known = new Map<string, Known>();
  readonly #changes: { readonly key: string; readonly before?: Known }[] = [];
  /** Domains of texts are changed in place unless they are older than the last mark. */
  #marked = 0;

  /** Everything of which something is known. */
  get known(): Iterable<Known> {
    return this.#known.values();
  }

  /** What a text may be. */
  text(key: string): TextDomain | undefined {
    const known = this.#known.get(key);
    return known?.kind === "text" ? known.domain : undefined;
  }

  /** What a number may be. */
  ranges(subject: NumberSubject): Ranges {
    const known = this.#known.get(subject.key);
    return known?.kind === "number" ? known.ranges : subject.all;
  }

  /** A place to come back to. */
  mark(): number {
    this.#marked = this.#changes.length;
    return this.#marked;
  }

  /** Forgets what was learnt since a mark. */
  undo(mark: number): void {
    while (this.#changes.length > mark) {
      const change = this.#changes.pop();
      if (change?.before) this.#known.set(change.key, change.before);
      else if (change) this.#known.delete(change.key);
    }
    this.#marked = mark;
  }

  /** Whether a statement holds; undefined where both may be. */
  says(literal: Literal): boolean | undefined {
    if (literal.kind === "number")
      return isWithin(this.ranges(literal.subject), literal.within);
    const domain = this.text(literal.subject.key);
    const said = domain?.says(literal.test);
    return said === undefined ? undefined : said === literal.result;
  }

  /** Learns that a statement holds; false where it cannot. */
  assume(literal: Literal): boolean {
    if (literal.kind === "number") {
      const { subject, within } = literal;
      const before = this.ranges(subject);
      const ranges = intersection(before, within);
      if (ranges.length === 0) return false;
      this.#set({
        kind: "number",
        subject,
        ranges,
        since: this.#changes.length,
      });
      return true;
    }
    const { subject, test, result } = literal;
    const before = this.#known.get(subject.key);
    const isOwn = before !== undefined && before.since >= this.#marked;
    const domain =
      before?.kind === "text"
        ? isOwn
          ? before.domain
          : new TextDomain(before.domain)
        : new TextDomain();
    if (domain.narrow(test, result) === "nothing") return false;
    if (!isOwn)
      this.#set({ kind: "text", subject, domain, since: this.#changes.length });
    return true;
  }

  #set(known: Known): void {
    const { key } = known.subject satisfies Subject;
    this.#changes.push({ key, before: this.#known.get(key) });
    this.#known.set(key, known);
  }
}
