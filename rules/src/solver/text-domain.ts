import { assertNever } from "../assert-never";
import { readPattern } from "../language/regex/pattern";
import { isBefore } from "../language/text/text";

/** What may be asked of a text. */
export type TextTest =
  | { readonly kind: "in"; readonly values: ReadonlySet<string> }
  | {
      readonly kind: PartOperator;
      readonly part: string;
      /** As `(?i)` in a pattern does. */
      readonly ignoresCase: boolean;
    }
  | { readonly kind: "below" | "above"; readonly than: string }
  | { readonly kind: "pattern"; readonly pattern: string };

/** How a part stands in a text. */
export type PartOperator = "contains" | "startsWith" | "endsWith";

/** Whether a text has a part. */
export function hasPart(
  text: string,
  operator: PartOperator,
  part: string,
): boolean {
  switch (operator) {
    case "contains":
      return text.includes(part);
    case "startsWith":
      return text.startsWith(part);
    case "endsWith":
      return text.endsWith(part);
    default:
      return assertNever(operator);
  }
}

/** What a test says of a text. */
export function passes(test: TextTest, text: string): boolean {
  switch (test.kind) {
    case "in":
      return test.values.has(text);
    case "contains":
    case "startsWith":
    case "endsWith":
      return test.ignoresCase
        ? passesPattern(patternOf(test.kind, test.part), text)
        : hasPart(text, test.kind, test.part);
    case "below":
      return isBefore(text, test.than);
    case "above":
      return isBefore(test.than, text);
    case "pattern":
      return passesPattern(test.pattern, text);
    default:
      return assertNever(test);
  }
}

/** Two tests with the same key are the same. */
export function keyOfTest(test: TextTest): string {
  switch (test.kind) {
    case "in":
      return JSON.stringify(["in", ...test.values]);
    case "contains":
    case "startsWith":
    case "endsWith":
      return `${test.kind}${test.ignoresCase ? "~" : " "}${test.part}`;
    case "below":
    case "above":
      return `${test.kind} ${test.than}`;
    case "pattern":
      return `pattern ${test.pattern}`;
    default:
      return assertNever(test);
  }
}

function passesPattern(pattern: string, text: string): boolean {
  const read = readPattern(pattern);
  return "test" in read && read.test(text);
}

function patternOf(operator: PartOperator, part: string): string {
  const [start, end] = [operator === "startsWith", operator === "endsWith"];
  const escaped = part.replace(/[\\.*+?()|[\]{}^$]/g, "\\$&");
  return `(?i)${start ? "^" : ""}${escaped}${end ? "$" : ""}`;
}

type PartTest = Extract<TextTest, { readonly part: string }>;
type OrderTest = Extract<TextTest, { readonly than: string }>;

/** Whether each text that passes one test surely passes another. */
export function implies(one: TextTest, other: TextTest): boolean {
  if (isPart(one))
    return isPart(other)
      ? partImplies(one, other)
      : isOrder(other) && startImplies(one, other);
  if (isOrder(one) && isOrder(other)) return orderImplies(one, other);
  return one.kind === other.kind && keyOfTest(one) === keyOfTest(other);
}

/** Whether surely no text passes both tests. */
export function excludes(one: TextTest, other: TextTest): boolean {
  if (isPart(one) && isPart(other)) return partExcludes(one, other);
  if (isOrder(one) && isOrder(other)) return orderExcludes(one, other);
  if (isPart(one) && isOrder(other)) return startExcludes(one, other);
  return isOrder(one) && isPart(other) && startExcludes(other, one);
}

const isPart = (test: TextTest): test is PartTest => "part" in test;
const isOrder = (test: TextTest): test is OrderTest => "than" in test;

function partImplies(one: PartTest, other: PartTest): boolean {
  if (one.ignoresCase && !other.ignoresCase) return false;
  const [long, short] = other.ignoresCase
    ? [folded(one.part), folded(other.part)]
    : [one.part, other.part];
  switch (other.kind) {
    case "contains":
      return long.includes(short);
    case "startsWith":
      return one.kind === "startsWith" && long.startsWith(short);
    case "endsWith":
      return one.kind === "endsWith" && long.endsWith(short);
  }
}

/** Two beginnings, or two ends, that differ. */
function partExcludes(one: PartTest, other: PartTest): boolean {
  if (one.kind !== other.kind || one.kind === "contains") return false;
  const isExact = !one.ignoresCase && !other.ignoresCase;
  if (!isExact && !(isAscii(one.part) && isAscii(other.part))) return false;
  const [a, b] = isExact
    ? [one.part, other.part]
    : [folded(one.part), folded(other.part)];
  return one.kind === "startsWith"
    ? !a.startsWith(b) && !b.startsWith(a)
    : !a.endsWith(b) && !b.endsWith(a);
}

function orderImplies(one: OrderTest, other: OrderTest): boolean {
  if (one.kind !== other.kind) return false;
  return one.kind === "below"
    ? !isBefore(other.than, one.than)
    : !isBefore(one.than, other.than);
}

function orderExcludes(one: OrderTest, other: OrderTest): boolean {
  if (one.kind === other.kind) return false;
  const [below, above] = one.kind === "below" ? [one, other] : [other, one];
  return !isBefore(above.than, below.than);
}

/** Texts with a beginning are at least that, and each on the same side of what differs from it. */
function startImplies({ kind, part, ignoresCase }: PartTest, other: OrderTest) {
  if (kind !== "startsWith" || ignoresCase) return false;
  return other.kind === "above"
    ? isBefore(other.than, part)
    : isBefore(part, other.than) && !other.than.startsWith(part);
}

function startExcludes(one: PartTest, other: OrderTest): boolean {
  if (one.kind !== "startsWith" || one.ignoresCase) return false;
  return other.kind === "below"
    ? !isBefore(one.part, other.than)
    : isBefore(one.part, other.than) && !other.than.startsWith(one.part);
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** Letters of ASCII in lower case; what is equal then is equal without regard to case, too. */
const folded = (text: string) =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** What is left of a domain: as much as before, less, or nothing. */
export type Narrowed = "same" | "less" | "nothing";

/**
 * The texts that something may be: some values, or all that pass some tests,
 * fail others and are not excluded. The latter may be none without showing it.
 */
export class TextDomain {
  #values: Set<string> | undefined;
  readonly #excluded: Set<string>;
  readonly #passed: TextTest[];
  readonly #failed: TextTest[];
  readonly #failedKeys: Set<string>;

  constructor(from?: TextDomain) {
    this.#values = from && from.#values;
    this.#excluded = new Set(from && from.#excluded);
    this.#passed = from ? [...from.#passed] : [];
    this.#failed = from ? [...from.#failed] : [];
    this.#failedKeys = new Set(from && from.#failedKeys);
  }

  /** All that is left, where that is a list of values. */
  get values(): ReadonlySet<string> | undefined {
    return this.#values;
  }
  get excluded(): ReadonlySet<string> {
    return this.#excluded;
  }
  get passed(): readonly TextTest[] {
    return this.#passed;
  }
  get failed(): readonly TextTest[] {
    return this.#failed;
  }

  /** Whether a text is left. */
  has(text: string): boolean {
    if (this.#values) return this.#values.has(text);
    return (
      !this.#excluded.has(text) &&
      this.#passed.every((test) => passes(test, text)) &&
      !this.#failed.some((test) => passes(test, text))
    );
  }

  /** What a test says of all that is left; undefined where that is not known, or differs. */
  says(test: TextTest): boolean | undefined {
    if (this.#values) {
      let [yes, no] = [false, false];
      for (const value of this.#values) {
        if (passes(test, value)) yes = true;
        else no = true;
        if (yes && no) return undefined;
      }
      return yes;
    }
    if (test.kind === "in") {
      for (const value of test.values) if (this.has(value)) return undefined;
      return false;
    }
    if (this.#passed.some((known) => implies(known, test))) return true;
    const isFalse =
      this.#passed.some((known) => excludes(known, test)) ||
      this.#failed.some((known) => implies(test, known));
    return isFalse ? false : undefined;
  }

  /** Keeps what a test says this of. */
  narrow(test: TextTest, result: boolean): Narrowed {
    if (this.#values) {
      const size = this.#values.size;
      return this.#keep(
        [...this.#values].filter((value) => passes(test, value) === result),
        size,
      );
    }
    if (test.kind === "in") {
      const known = [...test.values].filter((value) => this.has(value));
      if (result) return this.#keep(known, Infinity);
      for (const value of known) this.#excluded.add(value);
      return known.length > 0 ? "less" : "same";
    }
    if (result) {
      const said = this.says(test);
      if (said !== undefined) return said ? "same" : "nothing";
      this.#passed.push(test);
      return "less";
    }
    if (this.#passed.some((known) => implies(known, test))) return "nothing";
    if (this.#passed.some((known) => excludes(known, test))) return "same";
    const key = keyOfTest(test);
    if (this.#failedKeys.has(key)) return "same";
    this.#failedKeys.add(key);
    this.#failed.push(test);
    return "less";
  }

  #keep(values: readonly string[], size: number): Narrowed {
    if (values.length === 0) return "nothing";
    if (values.length === size) return "same";
    this.#values = new Set(values);
    return "less";
  }
}
