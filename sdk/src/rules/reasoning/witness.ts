import type { RuleRequest } from "../expression";
import { lengthOf } from "../expression/text";
import { addressNumber, addressText } from "./addresses";
import type { ElementCondition } from "./element-condition";
import type { Formula } from "./formula";
import { applyChange } from "./apply-change";
import { patternTexts } from "./pattern-texts";
import { includes, type Ranges } from "./ranges";
import type { State } from "./state";
import type { TextField, TextSubject } from "./subject";
import type { TextDomain } from "./text-domain";
import type { TextTest } from "./text-test";

/** Values of one header that a request is made with, at most. */
const MAX_VALUES = 20;

/**
 * Makes a request that is likely to be in a state. `attempt` chooses among
 * texts that are as good as each other; the caller tries the request.
 */
export function requestIn(state: State, attempt: number): RuleRequest {
  const texts = new Texts(state, attempt);
  const headers = new Headers(texts);
  const fields: { -readonly [Field in TextField]?: string } = {};
  const flags: { isAiBot?: boolean; isCrawlerBot?: boolean } = {};
  let ip: string | undefined;
  for (const known of state.known) {
    if (known.kind === "text") {
      const { subject } = known;
      const root = rootOf(subject);
      if (root.what === "field") fields[root.field] ??= texts.of(root);
      if (root.what === "element") headers.put(root.header, root.index, root);
      continue;
    }
    const { subject, ranges } = known;
    switch (subject.what) {
      case "ip":
        ip = addressIn(ranges, attempt);
        break;
      case "flag":
        flags[subject.field] = includes(ranges, 1n) && !includes(ranges, 0n);
        break;
      case "size":
        headers.size(subject.header, ranges);
        break;
      case "length": {
        const root = rootOf(subject.of);
        if (root.what === "field") fields[root.field] ??= texts.of(root);
        if (root.what === "element") headers.put(root.header, root.index, root);
        break;
      }
      case "exists":
        if (!includes(ranges, 0n))
          headers.some(subject.condition.header, subject.condition.subject);
        else if (!includes(ranges, 1n)) headers.none(subject.condition);
        break;
      case "relation":
        for (const side of [subject.left, subject.right]) {
          const root = rootOf(side);
          if (root.what === "field") fields[root.field] ??= texts.of(root);
        }
        break;
      case "outcome":
        break;
    }
  }
  return {
    ...fields,
    ...flags,
    ...(ip !== undefined && { ip }),
    headers: headers.made(),
  };
}

function rootOf(subject: TextSubject): TextSubject {
  return subject.what === "changed" ? rootOf(subject.of) : subject;
}

/** An address of documentation, else the first of the ranges, or of a later one; undefined where only none is possible. */
function addressIn(ranges: Ranges, attempt: number): string | undefined {
  if (attempt === 0 && includes(ranges, USUAL)) return addressText(USUAL);
  const found = ranges.filter(([, last]) => last >= 0n);
  const range = found[attempt % Math.max(1, found.length)];
  if (!range) return undefined;
  // The network's own address is not that of a client.
  const [first, last] = range;
  const at = first < 0n ? 0n : first;
  return addressText(at < last ? at + 1n : at);
}

/** 203.0.113.5 */
const USUAL = addressNumber([203, 0, 113, 5]);

/** Chooses texts. */
class Texts {
  /** What is known of a text and of what is made from it. */
  readonly #domains = new Map<string, KnownText[]>();
  readonly #lengths = new Map<string, KnownLength[]>();
  readonly #partners = new Map<string, TextSubject[]>();

  constructor(
    state: State,
    private readonly attempt: number,
  ) {
    for (const known of state.known)
      if (known.kind === "text") add(this.#domains, known.subject, known);
      else if (known.subject.what === "length")
        add(this.#lengths, known.subject.of, {
          subject: known.subject.of,
          ranges: known.ranges,
        });
      else if (known.subject.what === "relation") {
        const { left, right } = known.subject;
        add(this.#partners, left, right);
        add(this.#partners, right, left);
      }
  }

  /** A text for a subject; any, where none can be thought of. */
  of(subject: TextSubject): string {
    const domains = this.#domains.get(subject.key) ?? [];
    const lengths = this.#lengths.get(subject.key) ?? [];
    const fits = (text: string) =>
      domains.every(({ subject, domain }) =>
        domain.has(changedText(subject, text)),
      ) &&
      lengths.every(({ subject, ranges }) =>
        includes(ranges, BigInt(lengthOf(changedText(subject, text)))),
      );
    let best: string | undefined;
    let left = this.attempt;
    for (const text of this.#candidates(subject, domains, lengths.length > 0)) {
      if (!fits(text)) continue;
      best ??= text;
      if (left-- === 0) return text;
    }
    return best ?? "";
  }

  *#candidates(
    subject: TextSubject,
    domains: readonly KnownText[],
    hasLength: boolean,
  ): Generator<string> {
    const isPlatform =
      subject.what === "field" && subject.field === "sdkPlatform";
    yield isPlatform ? "js" : "";
    const partners = this.#partners.get(subject.key) ?? [];
    const texts = [
      ...domains.flatMap(({ domain }) => candidatesOf(domain)),
      ...partners.flatMap((side) =>
        side.what === "constant"
          ? partsOf(side.value)
          : (this.#domains.get(rootOf(side).key) ?? []).flatMap(({ domain }) =>
              candidatesOf(domain),
            ),
      ),
    ];
    yield* texts;
    if (domains.some(({ subject }) => subject.what === "changed"))
      for (const text of texts) yield text.toUpperCase();
    if (hasLength)
      for (const text of ["", ...texts])
        for (const length of LENGTHS) yield text.padEnd(length, "a");
  }
}

interface KnownText {
  readonly subject: TextSubject;
  readonly domain: TextDomain;
}

interface KnownLength {
  readonly subject: TextSubject;
  readonly ranges: Ranges;
}

/** Lengths that texts are tried with. */
const LENGTHS = [1, 2, 3, 5, 10, 11, 50, 51, 100, 101, 256, 257];

function add<T>(map: Map<string, T[]>, subject: TextSubject, value: T) {
  const { key } = rootOf(subject);
  const found = map.get(key);
  if (found) found.push(value);
  else map.set(key, [value]);
}

const partsOf = (text: string) => [text, text.slice(0, 1), text.slice(-1)];

function changedText(subject: TextSubject, text: string): string {
  return subject.what === "changed"
    ? applyChange(subject.by, changedText(subject.of, text))
    : text;
}

/** Texts that a domain may hold, as its tests suggest them. */
function candidatesOf(domain: TextDomain): string[] {
  if (domain.values) return [...domain.values];
  const starts = partsBy(domain.passed, "startsWith");
  const ends = partsBy(domain.passed, "endsWith");
  const middle = partsBy(domain.passed, "contains");
  const longest = (parts: readonly string[]) =>
    [...parts].sort((a, b) => b.length - a.length)[0] ?? "";
  const [start, end] = [longest(starts), longest(ends)];
  const inner = middle.filter(
    (part) => !start.includes(part) && !end.includes(part),
  );
  const found = [
    start,
    end,
    start + end,
    start + inner.join("") + end,
    start + inner.join(" ") + end,
  ];
  for (let shared = 1; shared <= Math.min(start.length, end.length); shared++)
    if (start.endsWith(end.slice(0, shared)))
      found.push(start + end.slice(shared));
  for (const test of domain.passed) {
    if (test.kind === "below") found.push("", test.than.slice(0, -1), " ");
    if (test.kind === "above") found.push(`${test.than}0`, `${test.than}a`);
    if (test.kind === "pattern")
      found.push(
        ...(patternTexts(test.pattern)?.texts ?? []).map(({ text }) => text),
      );
  }
  for (const test of domain.failed) if ("than" in test) found.push(test.than);
  return [
    ...found,
    ...found.flatMap((text) => [`${text}x`, `x${text}`, `${start}x${end}`]),
  ];
}

function partsBy(tests: readonly TextTest[], kind: string): string[] {
  return tests.flatMap((test) =>
    test.kind === kind && "part" in test ? [test.part] : [],
  );
}

/** The values of headers that a request is made with. */
class Headers {
  readonly #values = new Map<string, Map<number, string>>();
  readonly #sizes = new Map<string, Ranges>();
  readonly #some = new Map<string, string[]>();
  readonly #none = new Map<string, ElementCondition[]>();

  constructor(private readonly texts: Texts) {}

  size(header: string, ranges: Ranges): void {
    this.#sizes.set(header, ranges);
  }

  put(header: string, index: number, subject: TextSubject): void {
    const values = this.#values.get(header) ?? new Map<number, string>();
    values.set(index, this.texts.of(subject));
    this.#values.set(header, values);
  }

  some(header: string, subject: TextSubject): void {
    this.#some.set(header, [
      ...(this.#some.get(header) ?? []),
      this.texts.of(subject),
    ]);
  }

  none(condition: ElementCondition): void {
    const { header } = condition;
    this.#none.set(header, [...(this.#none.get(header) ?? []), condition]);
  }

  made(): Record<string, string[]> {
    const made: Record<string, string[]> = {};
    const names = [
      ...this.#values.keys(),
      ...this.#sizes.keys(),
      ...this.#some.keys(),
    ];
    for (const name of new Set(names)) {
      const values = this.#valuesOf(name);
      if (values) made[name] = values;
    }
    return made;
  }

  /** A text that no condition forbids the values of a header. */
  #fillerOf(header: string): string {
    const forbidden = this.#none.get(header) ?? [];
    const texts = ["", ...forbidden.flatMap(({ some }) => textsIn(some))];
    return (
      texts.find((text) =>
        forbidden.every((condition) => condition.says(text) === false),
      ) ?? ""
    );
  }

  #valuesOf(header: string): string[] | undefined {
    const at = this.#values.get(header) ?? new Map<number, string>();
    const some = this.#some.get(header) ?? [];
    const needed = Math.max(
      some.length,
      ...[...at.keys()].map((index) => (index < 0 ? -index : index + 1)),
    );
    const ranges = this.#sizes.get(header) ?? [
      [BigInt(needed), BigInt(MAX_VALUES)],
    ];
    // As many as are needed, where that is allowed; else as few as are.
    const wish = ranges.find(([, last]) => last >= BigInt(needed));
    const [first] = wish ?? ranges[0] ?? [-1n];
    const isMissing = needed === 0 && first < 0n;
    const size = Number(
      wish && !isMissing && first < BigInt(needed) ? needed : first,
    );
    if (size < 0 || size > MAX_VALUES) return undefined;
    const filler = this.#fillerOf(header);
    const values = Array.from(
      { length: size },
      (_, n) => at.get(n) ?? at.get(n - size) ?? some[n] ?? filler,
    );
    for (const text of some)
      if (!values.includes(text)) {
        const free = values.findIndex(
          (_, n) => !at.has(n) && !at.has(n - size),
        );
        if (free >= 0) values[free] = text;
      }
    return values;
  }
}

/** Texts that a formula compares with. */
function textsIn(formula: Formula): string[] {
  switch (formula.kind) {
    case "constant":
    case "number":
      return [];
    case "text": {
      const { test } = formula;
      if (test.kind === "in") return [...test.values];
      if ("part" in test) return [test.part];
      return "than" in test ? [test.than] : [];
    }
    case "and":
    case "or":
      return formula.parts.flatMap(textsIn);
  }
}
