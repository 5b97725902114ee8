import { assertNever } from "../assert-never";
import type { KindsOf } from "../children-first";
import { escaped, readPattern } from "../language/regex/pattern";
import { HAS_PART, type PartPlace } from "../language/tables/operators";
import { isBefore } from "../language/text/text";
import { onceFor } from "../once-for";
import type { StepLimit } from "./step-limit";

/** A test that a text passes or fails. */
export type TextTest = KindsOf<TextTests>;

interface TextTests {
  /** The text is one of these. */
  in: { values: ReadonlySet<string> };
  /** The text has a part at a place; `ignoresCase` as with `(?i)` in a pattern. */
  part: { place: PartPlace; part: string; ignoresCase: boolean };
  /** The text comes before another one. What fails it comes behind, or is the other one. */
  below: { than: string };
  pattern: { pattern: string };
}

/** Whether a text passes a test. */
export function passes(
  test: TextTest,
  text: string,
  steps?: StepLimit,
): boolean {
  steps?.take(stepsOf(test, text));
  return holdsFor(test, text);
}

function holdsFor(test: TextTest, text: string): boolean {
  switch (test.kind) {
    case "in":
      return test.values.has(text);
    case "part":
      return test.ignoresCase
        ? matchesPattern(test, text)
        : HAS_PART[test.place](text, test.part);
    case "below":
      return isBefore(text, test.than);
    case "pattern":
      return matchesPattern(test, text);
    default:
      return assertNever(test);
  }
}

/** Two tests with the same key are the same. */
function keyOfTest(test: Exclude<TextTest, { readonly kind: "in" }>): string {
  switch (test.kind) {
    case "part":
      return `${test.place}${test.ignoresCase ? "~" : " "}${test.part}`;
    case "below":
      return `below ${test.than}`;
    case "pattern":
      return `pattern ${test.pattern}`;
    default:
      return assertNever(test);
  }
}

type PatternTest = Extract<TextTest, { readonly kind: "part" | "pattern" }>;

/** The compiled pattern of a test. Compiling it takes longer than most texts take to match. */
const readPatternOf = onceFor((test: PatternTest) =>
  readPattern(
    test.kind === "pattern" ? test.pattern : patternOf(test.place, test.part),
  ),
);

function matchesPattern(test: PatternTest, text: string): boolean {
  const read = readPatternOf(test);
  return "test" in read && read.test(text);
}

/** Characters of a text that are compared in one step. */
const CHARACTERS_PER_STEP = 500;

/** The steps of trying a test on a text. */
function stepsOf(test: TextTest, text: string): number {
  const isPattern =
    test.kind === "pattern" || (test.kind === "part" && test.ignoresCase);
  if (!isPattern) return 1 + text.length / CHARACTERS_PER_STEP;
  const read = readPatternOf(test);
  return "cost" in read ? 1 + text.length * read.cost : 1;
}

function patternOf(place: PartPlace, part: string): string {
  return `(?i)${place === "start" ? "^" : ""}${escaped(part)}${place === "end" ? "$" : ""}`;
}

type PartTest = Extract<TextTest, { readonly part: string }>;

/** Whether every text that passes the first test also passes the second test. False if that is not certain. */
function implies(one: TextTest, other: TextTest): boolean {
  if (other.kind === "below") return isAllBelow(one, other.than);
  if (isPart(one) && isPart(other)) return partImplies(one, other);
  return (
    one.kind === "pattern" &&
    other.kind === "pattern" &&
    one.pattern === other.pattern
  );
}

/** Whether no text passes both tests. False if that is not certain. */
function excludes(one: TextTest, other: TextTest): boolean {
  if (isPart(one) && isPart(other)) return partExcludes(one, other);
  if (one.kind === "below") return isPart(other) && excludes(other, one);
  const start = exactStart(one);
  return (
    other.kind === "below" &&
    start !== undefined &&
    !isBefore(start, other.than)
  );
}

const isPart = (test: TextTest): test is PartTest => "part" in test;

function partImplies(one: PartTest, other: PartTest): boolean {
  if (one.ignoresCase && !other.ignoresCase) return false;
  const [long, short] = other.ignoresCase
    ? [folded(one.part), folded(other.part)]
    : [one.part, other.part];
  return (
    HAS_PART[other.place](long, short) &&
    (other.place === "anywhere" || other.place === one.place)
  );
}

/** A text has no two different beginnings, and no two different ends. */
function partExcludes(one: PartTest, other: PartTest): boolean {
  if (one.place !== other.place || one.place === "anywhere") return false;
  const isExact = !one.ignoresCase && !other.ignoresCase;
  if (!isExact && !(isAscii(one.part) && isAscii(other.part))) return false;
  const [a, b] = isExact
    ? [one.part, other.part]
    : [folded(one.part), folded(other.part)];
  return one.place === "start"
    ? !a.startsWith(b) && !b.startsWith(a)
    : !a.endsWith(b) && !b.endsWith(a);
}

/** Whether every text that passes a test comes before another text. */
function isAllBelow(test: TextTest, than: string): boolean {
  if (test.kind === "below") return !isBefore(than, test.than);
  // Texts with the same beginning are neighbours in the order of texts.
  const start = exactStart(test);
  return (
    start !== undefined && isBefore(start, than) && !than.startsWith(start)
  );
}

/** The beginning that a test asks for, letter case included. */
const exactStart = (test: TextTest) =>
  isPart(test) && test.place === "start" && !test.ignoresCase
    ? test.part
    : undefined;

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** The text with ASCII letters in lower case. Texts that are equal then differ at most in letter case. */
const folded = (text: string) =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** How narrowing changed a domain: not at all, to fewer texts, or to none. */
export type Narrowed = "same" | "less" | "nothing";

/**
 * The texts that a variable may have: a list of values, or every text that
 * passes the required tests, fails the forbidden ones and is not excluded. In the
 * second form no text may be left without the domain knowing it.
 */
export class TextDomain {
  #values: Set<string> | undefined;
  #excluded: Set<string>;
  #required: TextTest[];
  #forbidden: TextTest[];
  #forbiddenKeys: Set<string>;
  /** Whether the tests and excluded texts are those of another domain, which must not be changed. */
  #isShared: boolean;

  /** @param steps limits the work on the domain */
  constructor(
    from?: TextDomain,
    private readonly steps?: StepLimit,
  ) {
    this.#values = from && from.#values;
    this.#excluded = from ? from.#excluded : new Set();
    this.#required = from ? from.#required : [];
    this.#forbidden = from ? from.#forbidden : [];
    this.#forbiddenKeys = from ? from.#forbiddenKeys : new Set();
    this.#isShared = from !== undefined;
  }

  /** The texts of the domain, where it is a list of values. */
  get values(): ReadonlySet<string> | undefined {
    return this.#values;
  }
  get excluded(): ReadonlySet<string> {
    return this.#excluded;
  }
  get required(): readonly TextTest[] {
    return this.#required;
  }
  get forbidden(): readonly TextTest[] {
    return this.#forbidden;
  }

  /** Whether the domain has a text. */
  has(text: string): boolean {
    if (this.#values) return this.#values.has(text);
    return (
      !this.#excluded.has(text) &&
      this.#required.every((test) => this.#holds(test, text)) &&
      !this.#forbidden.some((test) => this.#holds(test, text))
    );
  }

  /** True if all texts of the domain pass a test, false if all fail it. Undefined if that differs or is not known. */
  evaluate(test: TextTest): boolean | undefined {
    if (this.#values) {
      let [yes, no] = [false, false];
      for (const value of this.#values) {
        if (this.#holds(test, value)) yes = true;
        else no = true;
        if (yes && no) return undefined;
      }
      return yes;
    }
    if (test.kind === "in") {
      for (const value of test.values) if (this.has(value)) return undefined;
      return false;
    }
    if (this.#forbiddenKeys.has(keyOfTest(test))) return false;
    this.steps?.take(this.#required.length + this.#forbidden.length);
    if (this.#required.some((known) => implies(known, test))) return true;
    const isFalse =
      this.#required.some((known) => excludes(known, test)) ||
      this.#forbidden.some((known) => implies(test, known));
    return isFalse ? false : undefined;
  }

  /** Keeps the texts for which a test has this result. */
  narrow(test: TextTest, result: boolean): Narrowed {
    if (this.#values) {
      const size = this.#values.size;
      return this.#keep(
        [...this.#values].filter(
          (value) => this.#holds(test, value) === result,
        ),
        size,
      );
    }
    if (test.kind === "in") {
      const known = [...test.values].filter((value) => this.has(value));
      if (result) return this.#keep(known, Infinity);
      if (known.length > 0) this.#own();
      for (const value of known) this.#excluded.add(value);
      return known.length > 0 ? "less" : "same";
    }
    if (result) {
      const said = this.evaluate(test);
      if (said !== undefined) return said ? "same" : "nothing";
      this.#own();
      this.#required.push(test);
      return "less";
    }
    if (this.#required.some((known) => implies(known, test))) return "nothing";
    if (this.#required.some((known) => excludes(known, test))) return "same";
    const key = keyOfTest(test);
    if (this.#forbiddenKeys.has(key)) return "same";
    this.#own();
    this.#forbiddenKeys.add(key);
    this.#forbidden.push(test);
    return "less";
  }

  #holds(test: TextTest, text: string): boolean {
    return passes(test, text, this.steps);
  }

  /** Copies what is shared, before it is changed. */
  #own(): void {
    if (!this.#isShared) return;
    this.steps?.take(this.#excluded.size + this.#forbidden.length);
    this.#excluded = new Set(this.#excluded);
    this.#required = [...this.#required];
    this.#forbidden = [...this.#forbidden];
    this.#forbiddenKeys = new Set(this.#forbiddenKeys);
    this.#isShared = false;
  }

  #keep(values: readonly string[], size: number): Narrowed {
    if (values.length === 0) return "nothing";
    if (values.length === size) return "same";
    this.#values = new Set(values);
    return "less";
  }
}
