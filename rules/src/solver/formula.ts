import type { CheckedExpression, Node } from "../language";
import { ADDRESSES, difference, isWithin, type Ranges } from "./integer-set";
import { passes, type PartOperator, type TextTest } from "./text-domain";

/** Something of a request that a statement is about. Two with the same key are the same. */
export type Subject = TextSubject | NumberSubject;

/** A text of a request. Elements that the request lacks may be taken for any text. */
export type TextSubject = { readonly kind: "text"; readonly key: string } & (
  | { readonly what: "field"; readonly field: TextField }
  /** The value of a header at an index; from the end, if negative. */
  | {
      readonly what: "element";
      readonly header: string;
      readonly index: number;
    }
  /** A value of a header that meets a condition, if any does. */
  | {
      readonly what: "some";
      readonly header: string;
      readonly exists: NumberSubject;
    }
  | { readonly what: "changed"; readonly of: TextSubject; readonly by: Change }
  | { readonly what: "constant"; readonly value: string }
);

/** A value of a header. */
export type ElementSubject = Extract<
  TextSubject,
  { readonly what: "element" | "some" }
>;

/** The fields of a request that are texts. */
export type TextField =
  "userAgent" | "sdkPlatform" | "sdkVersion" | "appPackageName";

/** `lower`, `upper` or `trim`. */
export interface Change {
  readonly name: "lower" | "upper" | "trim";
  /** Of `trim`: what is cut off. Default: white space. */
  readonly cutset?: string;
}

/** How two texts are compared; `below` is the order of texts. */
export type TextRelation = "==" | "below" | PartOperator;

/** An integer of a request. Truths are 0 and 1. */
export type NumberSubject = {
  readonly kind: "number";
  readonly key: string;
  readonly all: Ranges;
} &
  /** The number of an address (see addressRanges), or -1 without one. */
  (
    | { readonly what: "ip" }
    | { readonly what: "flag"; readonly field: "isAiBot" | "isCrawlerBot" }
    /** How many headers there are. */
    | { readonly what: "headers" }
    /** How many values a header has; -1 where it was not sent. */
    | { readonly what: "size"; readonly header: string }
    | { readonly what: "length"; readonly of: TextSubject }
    | {
        readonly what: "relation";
        readonly relation: TextRelation;
        readonly left: TextSubject;
        readonly right: TextSubject;
      }
    /** Whether any value of a header meets a condition. */
    | { readonly what: "exists"; readonly condition: ElementCondition }
    /** What else a part of an expression comes to: 0, 1, or 2 where it fails, 3 where it is nil. */
    | {
        readonly what: "outcome";
        readonly node: Node;
        readonly types: CheckedExpression["types"];
        /** Whether it depends on what `#` is. */
        readonly isOfElement: boolean;
      }
  );

/** Where the number of values of a header lies. */
export const SIZES: Ranges = [[-1n, 2n ** 32n - 1n]];

/** Where the length of a text lies. */
export const LENGTHS: Ranges = [[0n, 2n ** 32n - 1n]];

/** Where truths lie. */
export const TRUTHS: Ranges = [[0n, 1n]];

/** A field of a request. */
export function fieldSubject(field: TextField): TextSubject {
  return { kind: "text", key: field, what: "field", field };
}

/** The value of a header at an index. */
export function elementSubject(header: string, index: number): ElementSubject {
  const key = `header ${JSON.stringify(header)}[${index}]`;
  return { kind: "text", key, what: "element", header, index };
}

/** A text after `lower`, `upper` or `trim`. */
export function changedSubject(of: TextSubject, by: Change): TextSubject {
  const cutset = by.cutset === undefined ? "" : JSON.stringify(by.cutset);
  const key = `${by.name}${cutset}(${of.key})`;
  return { kind: "text", key, what: "changed", of, by };
}

/** A text that is known. */
export function constantSubject(value: string): TextSubject {
  return { kind: "text", key: JSON.stringify(value), what: "constant", value };
}

/** The address of the client. */
export const IP: NumberSubject = {
  kind: "number",
  key: "ip",
  all: ADDRESSES,
  what: "ip",
};

/** How many headers there are. */
export const HEADERS: NumberSubject = {
  kind: "number",
  key: "headers",
  all: LENGTHS,
  what: "headers",
};

/** Whether the user agent is that of a bot. */
export function flagSubject(field: "isAiBot" | "isCrawlerBot"): NumberSubject {
  return { kind: "number", key: field, all: TRUTHS, what: "flag", field };
}

/** The number of values of a header. */
export function sizeSubject(header: string): NumberSubject {
  const key = `size ${header}`;
  return { kind: "number", key, all: SIZES, what: "size", header };
}

/** The length of a text, in characters. */
export function lengthSubject(of: TextSubject): NumberSubject {
  const key = `length ${of.key}`;
  return { kind: "number", key, all: LENGTHS, what: "length", of };
}

/** Whether two texts stand in a relation. */
export function relationSubject(
  relation: TextRelation,
  left: TextSubject,
  right: TextSubject,
): NumberSubject {
  const key = `${left.key} ${relation} ${right.key}`;
  return {
    kind: "number",
    key,
    all: TRUTHS,
    what: "relation",
    relation,
    left,
    right,
  };
}

/** What a subject is tied to: keys of texts, headers. */
export function tiesOf(subject: Subject): readonly string[] {
  switch (subject.what) {
    case "changed":
    case "length":
      return [subject.of.key, ...rootsOf(subject).flatMap(tiesOfText)];
    case "relation":
      return [
        subject.left.key,
        subject.right.key,
        ...rootsOf(subject).flatMap(tiesOfText),
      ];
    case "element":
    case "some":
    case "size":
      return [headerTie(subject.header)];
    case "exists":
      return [conditionTie(subject.condition.header)];
    default:
      return [];
  }
}

function tiesOfText(subject: TextSubject): readonly string[] {
  return "header" in subject
    ? [subject.key, headerTie(subject.header)]
    : [subject.key];
}

/** The texts of the request itself that something is about. */
export function rootsOf(subject: Subject): readonly TextSubject[] {
  switch (subject.what) {
    case "changed":
    case "length":
      return rootsOf(subject.of);
    case "relation":
      return [...rootsOf(subject.left), ...rootsOf(subject.right)];
    default:
      return subject.kind === "text" ? [subject] : [];
  }
}

/** What ties the conditions for the values of a header. */
export function conditionTie(header: string): string {
  return `conditions ${header}`;
}

/** What ties the values of a header. */
export function headerTie(header: string): string {
  return `header ${header}`;
}

/**
 * A statement about a request that either holds or does not. Formulas are never
 * changed, and parts of them may be shared. Each is made with its opposite, so
 * that no depth is too much for turning one around.
 */
export type Formula = Constant | Literal | Junction;

/** A statement about one subject. */
export type Literal = TextLiteral | NumberLiteral;

/** Holds always, or never. */
export class Constant {
  readonly kind = "constant";
  readonly opposite: Constant;

  constructor(
    readonly value: boolean,
    opposite?: Constant,
  ) {
    this.opposite = opposite ?? new Constant(!value, this);
  }
}

/** Holds where a test says so of a text, or where it does not. */
export class TextLiteral {
  readonly kind = "text";
  readonly opposite: TextLiteral;

  constructor(
    readonly subject: TextSubject,
    readonly test: TextTest,
    readonly result = true,
    opposite?: TextLiteral,
  ) {
    this.opposite = opposite ?? new TextLiteral(subject, test, !result, this);
  }
}

/** Holds where a number lies in a set. */
export class NumberLiteral {
  readonly kind = "number";
  readonly opposite: NumberLiteral;

  constructor(
    readonly subject: NumberSubject,
    readonly within: Ranges,
    opposite?: NumberLiteral,
  ) {
    this.opposite =
      opposite ??
      new NumberLiteral(subject, difference(subject.all, within), this);
  }
}

/** Holds where all of two or more parts hold, or at least one. */
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
}

/** Holds always. */
export const ALWAYS: Formula = new Constant(true);
/** Holds never. */
export const NEVER: Formula = ALWAYS.opposite;

/** Holds where a number lies in a set. */
export function numberWithin(subject: NumberSubject, within: Ranges): Formula {
  const said = isWithin(subject.all, within);
  if (said !== undefined) return said ? ALWAYS : NEVER;
  return new NumberLiteral(subject, within);
}

/** Holds where every part does. */
export function and(...parts: readonly Formula[]): Formula {
  return junction("and", parts);
}

/** Holds where at least one part does. */
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
  const left = [...kept].filter((part) => !isDoubled(part, kept));
  const [first] = left;
  if (!first) return neutral;
  return left.length === 1 ? first : new Junction(kind, left);
}

/** `a && (a || b)` is `a`. */
function isDoubled(part: Formula, among: ReadonlySet<Formula>): boolean {
  return (
    (part.kind === "and" || part.kind === "or") &&
    part.parts.some((inner) => among.has(inner))
  );
}

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

/** Deepest formula that is followed. */
const MAX_DEPTH = 8;

/** What a formula says where one text of a request is known; undefined where it takes more. */
export function decide(
  formula: Formula,
  key: string,
  text: string,
  depth = 0,
): boolean | undefined {
  switch (formula.kind) {
    case "constant":
      return formula.value;
    case "number":
      return undefined;
    case "text":
      return formula.subject.key === key
        ? passes(formula.test, text) === formula.result
        : undefined;
    case "and":
    case "or": {
      if (depth > MAX_DEPTH) return undefined;
      const deciding = formula.kind === "or";
      let isKnown = true;
      for (const part of formula.parts) {
        const said = decide(part, key, text, depth + 1);
        if (said === deciding) return deciding;
        if (said === undefined) isKnown = false;
      }
      return isKnown ? !deciding : undefined;
    }
  }
}
