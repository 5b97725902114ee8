import type { CheckedExpression, Node } from "../language";
import { ADDRESSES } from "./addresses";
import type { ElementCondition } from "./element-condition";
import type { Ranges } from "./ranges";
import type { PartOperator } from "./text-test";

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
