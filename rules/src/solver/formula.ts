import type { KindsOf } from "../children-first";
import { keepingResults, keptIn } from "../keeping-results";
import type { Core } from "../core/core";
import { isCanonicalHeaderName } from "../language/request/header-names";
import type { Field } from "../language/tables/fields";
import { readPattern } from "../language/regex/pattern";
import {
  type PatternText,
  patternTexts,
} from "../language/regex/pattern-texts";
import type { TextFunction } from "../language/tables/functions";
import { functionsOf, rowOf } from "../language/tables/lookup";
import type { PartPlace } from "../language/tables/operators";
import {
  ALL_ADDRESSES,
  containedIn,
  difference,
  intersection,
  intersectionOfAll,
  only,
  type IntegerSet,
} from "./integer-set";
import { passes, type TextTest } from "./text-domain";

/** Part of a request whose value a formula is about. Two variables with the same key are the same. */
export type Variable = TextVariable | NumberVariable;

/** A variable whose value is a text. An element that the request lacks may have any text. */
export type TextVariable = KindsOf<TextVariables, "what"> & {
  readonly kind: "text";
  readonly key: string;
};

interface TextVariables {
  field: { field: Field };
  /** The value of a header at an index, which counts from the end if it is negative. */
  element: { header: string; index: number };
  /** A value of a header that meets the predicate of `exists`, if there is one. */
  some: { header: string; exists: ExistsVariable };
  /** Another text after a function. */
  mapped: { of: TextVariable; by: TextFunction };
  constant: { value: string };
}

/** A variable for a value of a header. */
export type ElementVariable = Extract<
  TextVariable,
  { readonly what: "element" | "some" }
>;

/** How two texts are compared: `below` is the order of texts, and a place is where the left one contains the right one. */
export type TextRelation = "==" | "below" | PartPlace;

/** A variable whose value is an integer. A boolean is 0 or 1. */
export type NumberVariable = KindsOf<NumberVariables, "what"> & {
  readonly kind: "number";
  readonly key: string;
  /** Every value that it can have. */
  readonly all: IntegerSet;
};

interface NumberVariables {
  /** The client's address as a number (see `addressRanges`); -1 without an address. */
  ip: object;
  boolean: { field: Field };
  /** How many values a header has; -1 if it was not sent. */
  size: { header: string };
  length: { of: TextVariable };
  /** Whether any value of a header meets a predicate. */
  exists: { predicate: ElementPredicate };
  /**
   * The result of a boolean node that the solver cannot analyse: 0, 1, or 2 if it fails.
   * `isOfElement`: it depends on the element that `#` stands for.
   */
  result: { node: Core; isOfElement: boolean };
}

type ExistsVariable = Extract<NumberVariable, { readonly what: "exists" }>;

/** The values of a `size` variable. */
export const SIZES: IntegerSet = [[-1n, 2n ** 32n - 1n]];

/** The value of a `size` variable of a header that no request has. */
const NEVER_SENT: IntegerSet = [[-1n, -1n]];

/** The values of a `length` variable. */
export const LENGTHS: IntegerSet = [[0n, 2n ** 32n - 1n]];

/** The values of a variable that is a boolean. */
export const TRUTHS: IntegerSet = [[0n, 1n]];

const text = <Rest extends object>(key: string, rest: Rest) => ({
  kind: "text" as const,
  key,
  ...rest,
});

const number = <Rest extends object>(
  key: string,
  all: IntegerSet,
  rest: Rest,
) => ({ kind: "number" as const, key, all, ...rest });

/** The variable of a request field that is a text. */
export const fieldVariable = (field: Field): TextVariable =>
  text(field.name, { what: "field", field });

/** The value of a header at an index. */
export const elementVariable = (
  header: string,
  index: number,
): ElementVariable =>
  text(`header ${JSON.stringify(header)}[${index}]`, {
    what: "element",
    header,
    index,
  });

/** A text after a function. */
export const mappedVariable = (
  of: TextVariable,
  by: TextFunction,
): TextVariable => text(`${by}(${of.key})`, { what: "mapped", of, by });

/** A text that is given. */
export const constantVariable = (value: string): TextVariable =>
  text(JSON.stringify(value), { what: "constant", value });

/** The address of the client. */
export const IP: NumberVariable = number("ip", ALL_ADDRESSES, { what: "ip" });

/** The variable of a request field that is a boolean. */
export const booleanVariable = (field: Field): NumberVariable =>
  number(field.name, TRUTHS, { what: "boolean", field });

/**
 * The number of values of a header. A name that is no valid header name counts as never
 * sent.
 */
export const sizeVariable = (header: string): NumberVariable =>
  number(`size ${header}`, isCanonicalHeaderName(header) ? SIZES : NEVER_SENT, {
    what: "size",
    header,
  });

/** The length of a text, in characters. */
export const lengthVariable = (of: TextVariable): NumberVariable =>
  number(`length ${of.key}`, LENGTHS, { what: "length", of });

/** The text that the value of a variable is calculated from. */
const sourceOf = (variable: Variable): TextVariable | undefined =>
  variable.what === "mapped" || variable.what === "length"
    ? variable.of
    : undefined;

/** The text of the request that the value of a variable is made from. */
export function rootOf(variable: Variable): TextVariable | undefined {
  const source = sourceOf(variable);
  if (source) return rootOf(source);
  return variable.kind === "text" ? variable : undefined;
}

/** The keys by which the constraint store finds a variable that depends on others: keys of texts and of headers. */
export function tiesOf(variable: Variable): readonly string[] {
  if (variable.what === "exists")
    return [predicateTie(variable.predicate.header)];
  const source = sourceOf(variable);
  const texts = [source, source && rootOf(source)].filter(
    (text) => text !== undefined,
  );
  return [
    ...texts.map(({ key }) => key),
    ...[variable, ...texts].flatMap((one) =>
      "header" in one ? [headerTie(one.header)] : [],
    ),
  ];
}

/** The key of the predicates on the values of a header. */
export function predicateTie(header: string): string {
  return `predicates ${header}`;
}

/** The key of the values of a header. */
export function headerTie(header: string): string {
  return `header ${header}`;
}

/**
 * A statement about a request that holds or does not. Formulas never change, and
 * two formulas may share parts. Each one is built together with its opposite, so
 * that negating a deep formula takes no recursion.
 */
export type Formula = Literal | Junction;

/** A statement about one variable. */
export type Literal = TextLiteral | NumberLiteral;

/** Holds where the text passes a test or, if `result` is false, where it fails it. */
export class TextLiteral {
  readonly kind = "text";
  readonly opposite: TextLiteral;

  constructor(
    readonly variable: TextVariable,
    readonly test: TextTest,
    readonly result = true,
    opposite?: TextLiteral,
  ) {
    this.opposite = opposite ?? new TextLiteral(variable, test, !result, this);
  }
}

/** Holds where the number is in a set. */
export class NumberLiteral {
  readonly kind = "number";
  readonly opposite: NumberLiteral;

  constructor(
    readonly variable: NumberVariable,
    readonly within: IntegerSet,
    opposite?: NumberLiteral,
  ) {
    this.opposite =
      opposite ??
      new NumberLiteral(variable, difference(variable.all, within), this);
  }
}

/** Holds where all of its parts hold (`and`), or at least one (`or`). Without parts, it holds always or never. */
export class Junction {
  readonly opposite: Junction;

  constructor(
    readonly kind: "and" | "or",
    readonly parts: readonly Formula[],
    opposite?: Junction,
  ) {
    this.opposite =
      opposite ??
      new Junction(
        kind === "and" ? "or" : "and",
        parts.map((part) => part.opposite),
        this,
      );
  }

  /**
   * Whether it holds, computed from the values of its parts; undefined if they are not
   * sufficient.
   */
  evaluate(of: (part: Formula) => boolean | undefined): boolean | undefined {
    const deciding = this.kind === "or";
    let isKnown = true;
    for (const part of this.parts) {
      const said = of(part);
      if (said === deciding) return deciding;
      if (said === undefined) isKnown = false;
    }
    return isKnown ? !deciding : undefined;
  }
}

/** Holds always. */
export const ALWAYS: Formula = new Junction("and", []);
/** Holds never. */
export const NEVER: Formula = ALWAYS.opposite;

/** Holds where the number is in a set. */
export function numberWithin(
  variable: NumberVariable,
  within: IntegerSet,
): Formula {
  const isContained = containedIn(variable.all, within);
  if (isContained !== undefined) return isContained ? ALWAYS : NEVER;
  return new NumberLiteral(variable, within);
}

/** Holds where every part holds. */
export function and(...parts: readonly Formula[]): Formula {
  return junction("and", parts);
}

/** Holds where at least one part holds. */
export function or(...parts: readonly Formula[]): Formula {
  return junction("or", parts);
}

function junction(kind: "and" | "or", parts: readonly Formula[]): Formula {
  const [neutral, deciding] =
    kind === "and" ? [ALWAYS, NEVER] : [NEVER, ALWAYS];
  const kept = new Set<Formula>();
  for (const part of parts)
    for (const one of part.kind === kind ? part.parts : [part]) {
      if (one === deciding || kept.has(one.opposite)) return deciding;
      if (one !== neutral) kept.add(one);
    }
  const left = [...kept].filter((part) => !isImplied(part, kept));
  const [first] = left;
  if (!first) return neutral;
  return left.length === 1 ? first : new Junction(kind, left);
}

/** A statement that a number or a text is in a set. */
type SetLiteral =
  | NumberLiteral
  | (TextLiteral & { readonly test: Extract<TextTest, { kind: "in" }> });

const isSet = (one: Formula): one is SetLiteral =>
  one.kind === "number" ||
  (one.kind === "text" && one.test.kind === "in" && one.result);

/**
 * The parts of a junction, with one set in place of all sets for one variable. A chain of
 * hundreds of networks or origins then is one statement, as a list of them is.
 */
export function joined(
  kind: "and" | "or",
  parts: readonly Formula[],
): Formula[] {
  /** An `and` is the opposite of the `or` of the opposites. */
  const sideOf = (one: Formula) => (kind === "or" ? one : one.opposite);
  const groups = new Map<string, SetLiteral[]>();
  for (const one of parts.map(sideOf))
    if (isSet(one)) keptIn(groups, one.variable.key, () => []).push(one);
  return parts.flatMap((part) => {
    const one = sideOf(part);
    const group = isSet(one) ? groups.get(one.variable.key) : undefined;
    if (!group || group.length === 1) return [part];
    return group[0] === one ? [sideOf(union(group))] : [];
  });
}

/** Holds where one variable is in any of some sets. */
function union(sets: readonly SetLiteral[]): Formula {
  const numbers = sets.filter((one) => one.kind === "number");
  const texts = sets.filter((one) => one.kind === "text");
  const [number] = numbers;
  if (number)
    return numberWithin(
      number.variable,
      intersectionOfAll(numbers.map(({ opposite }) => opposite.within)),
    ).opposite;
  const [first] = texts;
  return first
    ? isOneOf(
        first.variable,
        texts.flatMap(({ test }) => [...test.values]),
      )
    : NEVER;
}

/** Whether a part adds nothing: `a && (a || b)` is `a`. */
function isImplied(part: Formula, among: ReadonlySet<Formula>): boolean {
  return (
    (part.kind === "and" || part.kind === "or") &&
    part.parts.some((inner) => among.has(inner))
  );
}

/** A condition on one value of a header. Its evaluation never fails. */
export class ElementPredicate {
  /** Whether any value of the header meets the predicate. */
  readonly exists: ExistsVariable;
  /** A value that meets the predicate, if there is one. */
  readonly variable: Extract<TextVariable, { what: "some" }>;
  /** Holds where `variable` meets the predicate. */
  readonly some: Formula;

  readonly #of: (element: TextVariable) => Formula;

  /**
   * Two predicates with the same key are the same.
   * @param of gives the formula that holds where a text meets the predicate
   */
  constructor(
    readonly header: string,
    readonly key: string,
    /** The steps of making the formula for one text. */
    readonly steps: number,
    of: (element: TextVariable) => Formula,
  ) {
    this.#of = of;
    this.exists = number(`exists ${key}`, TRUTHS, {
      what: "exists",
      predicate: this,
    });
    this.variable = text(`some ${key}`, {
      what: "some",
      header,
      exists: this.exists,
    });
    this.some = of(this.variable);
  }

  /** The formula that holds where a text meets the predicate. */
  of(element: TextVariable): Formula {
    const { some } = this;
    if (some.kind !== "text" || some.variable !== this.variable)
      return this.#of(element);
    const literal = new TextLiteral(element, some.test);
    return some.result ? literal : literal.opposite;
  }
}

/** Holds where a boolean variable is true. */
export function isTrue(variable: NumberVariable): Formula {
  return numberWithin(variable, only(1n));
}

/** Holds where a text passes a test. */
export function textSatisfies(variable: TextVariable, test: TextTest): Formula {
  switch (test.kind) {
    case "in":
      return isOneOf(variable, test.values);
    case "part":
      if (test.part === "") return ALWAYS;
      return canHavePart(variable, test)
        ? new TextLiteral(variable, test)
        : NEVER;
    case "below":
      return test.than === "" ? NEVER : new TextLiteral(variable, test);
    case "pattern":
      return new TextLiteral(variable, test);
  }
}

/** Holds where a text is one of some values. */
export function isOneOf(
  variable: TextVariable,
  values: Iterable<string>,
): Formula {
  const possible = [...values].filter((value) => canBe(variable, value));
  return possible.length === 0
    ? NEVER
    : new TextLiteral(variable, { kind: "in", values: new Set(possible) });
}

/** Holds where a pattern matches a text. A pattern that only looks for some texts becomes tests for them. */
export function textMatches(variable: TextVariable, pattern: string): Formula {
  const read = readPattern(pattern);
  if ("mistake" in read) return NEVER;
  const whole: TextTest = { kind: "pattern", pattern };
  const sought = patternTexts(pattern);
  if (!sought?.isComplete) return textSatisfies(variable, whole);
  const { ignoresCase, texts } = sought;
  const isWhole = ({ atStart, atEnd }: PatternText) => atStart && atEnd;
  const values = texts.filter(isWhole).map(({ text }) => text);
  if (ignoresCase && values.length > 0) return textSatisfies(variable, whole);
  const tests = texts
    .filter((one) => !isWhole(one))
    .map(({ text: part, atStart, atEnd }): TextTest => {
      const place = atStart ? "start" : atEnd ? "end" : "anywhere";
      return { kind: "part", place, part, ignoresCase };
    });
  return or(
    isOneOf(variable, values),
    ...tests.map((test) => textSatisfies(variable, test)),
  );
}

/**
 * Holds where two texts, of which at least one is given, stand in a relation. Undefined
 * where the solver cannot tell: for two variables, and for a variable that is to be a part
 * of a given text.
 */
export function textsRelate(
  relation: TextRelation,
  left: TextVariable | string,
  right: TextVariable | string,
): Formula | undefined {
  if (typeof left !== "string") {
    if (typeof right === "string")
      return textSatisfies(left, testOf(relation, right));
    if (left.key !== right.key) return undefined;
    return relation === "below" ? NEVER : ALWAYS;
  }
  if (typeof right === "string")
    return passes(testOf(relation, right), left) ? ALWAYS : NEVER;
  if (relation === "==") return isOneOf(right, [left]);
  // The first text behind another one has one more character.
  return relation === "below"
    ? textSatisfies(right, { kind: "below", than: `${left}\0` }).opposite
    : undefined;
}

/** The test that a text passes if it stands in a relation to a given one. */
function testOf(relation: TextRelation, given: string): TextTest {
  if (relation === "==") return { kind: "in", values: new Set([given]) };
  return relation === "below"
    ? { kind: "below", than: given }
    : { kind: "part", place: relation, part: given, ignoresCase: false };
}

/** Whether a variable can have a value, as far as the variable alone tells. */
function canBe(variable: TextVariable, value: string): boolean {
  if (variable.what === "field") {
    const { symbolic } = variable.field;
    return symbolic?.kind === "variable" && symbolic.values
      ? symbolic.values.includes(value)
      : true;
  }
  // For functions that the solver reasons about, applying them twice is the same as
  // once.
  return (
    variable.what !== "mapped" || applyMapping(variable.by, value) === value
  );
}

function canHavePart(
  variable: TextVariable,
  { part, ignoresCase }: { part: string; ignoresCase: boolean },
): boolean {
  if (variable.what !== "mapped" || ignoresCase) return true;
  const { by } = variable;
  return !isEachCharacter(by) || applyMapping(by, part) === part;
}

/** Whether a function maps each character of a text for itself. */
export function isEachCharacter(name: TextFunction): boolean {
  const { symbolic } = rowOf(functionsOf.text, name);
  return symbolic?.isEachCharacter ?? false;
}

/** A given text after a function. */
export function applyMapping(name: TextFunction, text: string): string {
  return rowOf(functionsOf.text, name).apply(text);
}

/** Holds where a header was not sent. */
export function isMissing(header: string): Formula {
  return numberWithin(sizeVariable(header), only(-1n));
}

/**
 * Holds where a header has a value at an index, which counts from the end if it is negative.
 * The same formula each time: chains of conditions on one value fail for the same requests.
 */
export function hasElement(header: string, index: bigint): Formula {
  const least = index < 0n ? -index : index + 1n;
  return keptIn(hasAtLeast(header), least, () =>
    numberWithin(sizeVariable(header), atLeast(least)),
  );
}

const hasAtLeast = keepingResults(1_000, () => new Map<bigint, Formula>());

/** Holds where some value of a header meets a predicate. */
export function exists(predicate: ElementPredicate): Formula {
  const { some } = predicate;
  if (some === NEVER || hasElement(predicate.header, 0n) === NEVER)
    return NEVER;
  if (some === ALWAYS) return hasElement(predicate.header, 0n);
  return isTrue(predicate.exists);
}

/** Holds where some value of a header equals a given text. */
export function isSomeValue(header: string, text: string): Formula {
  const key = `${JSON.stringify(header)} # == ${JSON.stringify(text)}`;
  return exists(
    new ElementPredicate(header, key, 1, (element) => isOneOf(element, [text])),
  );
}

/** The numbers of header values from a least one on. */
function atLeast(least: bigint): IntegerSet {
  return intersection(SIZES, [[least, least > 2n ** 33n ? least : 2n ** 33n]]);
}
