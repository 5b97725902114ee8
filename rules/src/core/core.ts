import { childrenBy, childrenFirst, type KindsOf } from "../children-first";
import type { ReadPattern } from "../language/regex/pattern";
import type { IpNetwork } from "../language/request/ip-address";
import type { Span } from "../language/syntax/problem";
import type { Field } from "../language/tables/fields";
import type { TextFunctionRow } from "../language/tables/functions";
import type {
  OrderOperatorRow,
  TextOperatorRow,
} from "../language/tables/operators";

/**
 * The typed form of an expression, which the compiler, partial evaluation and the
 * solver interpret. It has fewer kinds of nodes than the syntax tree. Its patterns and
 * networks are parsed, and its nodes state what expr-lang does with nil. `lower` makes
 * it.
 */
export type Core = CoreNode & CoreFacts;

/** A node of the core without the facts that follow from its operands. */
export type CoreNode = KindsOf<CoreKinds>;

interface CoreKinds {
  constant: { value: ConstantValue };
  /** `#`: the element that the condition of `some` or `filter` is evaluated for. */
  pointer: object;
  field: { field: Field };
  /** The values of a header: an empty list that equals nil if the header was not sent. */
  header: { field: Field; name: Core };
  /** Whether the address of the client lies in a network; false without an address. */
  network: { field: Field; network: IpNetwork };
  list: { elements: readonly Core[] };
  /** The element of a list at an index; fails if the list is too short. */
  element: { list: Core; index: Core };
  /** A function of values; fails on nil. */
  call: { call: CoreFunction; args: readonly Core[] };
  /** An operator between two texts; false on nil. */
  text: { operator: TextOperatorRow; left: Core; right: Core };
  /** Whether a pattern matches a text; false on nil. */
  matches: {
    text: Core;
    pattern: string;
    read: Extract<ReadPattern, { readonly cost: number }>;
  };
  /** Whether two values are equal. As in expr-lang, two texts or two integers fail on nil, and other values compare with it. */
  equal: { left: Core; right: Core; failsOnNil: boolean };
  /** Whether each operand of a chain of comparisons is in order with the next one; fails on nil. */
  order: {
    /** One fewer than the operands. */
    operators: readonly OrderOperatorRow[];
    operands: readonly Core[];
  };
  /** Whether a list contains a value. */
  in: { needle: Core; list: Core };
  /** Whether the condition is `wanted` for some element of a list; fails on nil. */
  some: Loop & { wanted: boolean };
  /** The elements of a list that meet a condition; fails on nil. */
  filter: Loop;
  /** Fails on nil. */
  not: { operand: Core };
  /**
   * `and` or `or`. The first operand equal to `decides` ends the evaluation. An operand
   * that is nil fails, except the last operand, whose value is the result.
   */
  logical: { decides: boolean; operands: readonly Core[] };
  /** Fails if the condition is nil. */
  if: { condition: Core; consequent: Core; alternate: Core };
  /** The left value, or the right value if the left value is nil. */
  coalesce: { left: Core; right: Core };
}

/** The facts that every node of the core has. */
export interface CoreFacts {
  /** The place of its source text. */
  readonly span: Span;
  /** Whether its value, if it is not nil, is true or false. */
  readonly isBoolean: boolean;
  /** Whether its value may be nil. */
  readonly mayBeNil: boolean;
  /** Whether its evaluation may fail; false if it certainly does not. */
  readonly mayFail: boolean;
}

/** A value of a literal. Integers are `bigint`; nil is `null`. */
export type ConstantValue = boolean | string | bigint | number | null;

/** A function between texts, the length of a text, a list or the headers, or the negative of a number. */
export type CoreFunction =
  | TextFunctionRow
  | { readonly kind: "length" }
  | { readonly kind: "negative" };

/** A list, and a condition for its elements. */
export interface Loop {
  readonly list: Core;
  readonly condition: Core;
  /** Whether it is within the condition of another loop. */
  readonly isNested: boolean;
}

/** The node of one kind. */
export type CoreOf<Kind extends Core["kind"]> = Extract<Core, { kind: Kind }>;

/** The nodes directly under a node, in the order in which they are evaluated. */
export const operandsOf = childrenBy<CoreNode & Partial<CoreFacts>>({
  constant: [],
  pointer: [],
  field: [],
  network: [],
  header: ["name"],
  list: ["elements"],
  element: ["list", "index"],
  call: ["args"],
  text: ["left", "right"],
  equal: ["left", "right"],
  coalesce: ["left", "right"],
  matches: ["text"],
  order: ["operands"],
  logical: ["operands"],
  in: ["needle", "list"],
  some: ["list", "condition"],
  filter: ["list", "condition"],
  not: ["operand"],
  if: ["condition", "consequent", "alternate"],
}) as (node: CoreNode) => readonly Core[];

/** A node and all nodes under it, children before their parents. */
export function nodesOf(root: Core): Core[] {
  return childrenFirst(root, operandsOf);
}

/**
 * Whether a loop is within the condition of another loop. The elements that such loops
 * visit are counted over the whole expression.
 */
export function hasNestedLoop(root: Core): boolean {
  return nodesOf(root).some((node) => "isNested" in node && node.isNested);
}

/** The text of a literal; undefined for any other node. */
export function literalTextOf(node: Core | undefined): string | undefined {
  const value = node?.kind === "constant" ? node.value : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The name of the header whose values a node is; undefined for any other node, and for a name that is no literal. */
export function headerNameOf(node: Core): string | undefined {
  return node.kind === "header" ? literalTextOf(node.name) : undefined;
}

/** A text that is equal for two nodes only if they have the same meaning. */
export function keyOf(root: Core): string {
  const keys = new Map<Core, string>();
  for (const node of nodesOf(root)) {
    if (node.kind === "constant") {
      keys.set(node, keyOfConstant(node.value));
      continue;
    }
    // JSON of all nodes at once would be nested as deep as a chain of thousands of
    // comparisons is long. `join` would copy the texts of the operands each time.
    let key = `${JSON.stringify(node, ofMeaning)}(`;
    for (const operand of operandsOf(node)) key += `${keys.get(operand)},`;
    keys.set(node, `${key})`);
  }
  return keys.get(root) ?? "";
}

/** `5n` is an integer, and `"5n"` is a text. */
const keyOfConstant = (value: ConstantValue): string =>
  typeof value === "bigint" ? `${value}n` : JSON.stringify(value);

/** A member of a node as its key has it; undefined for operands, and for a member that says nothing about the meaning. */
function ofMeaning(member: string, value: unknown): unknown {
  if (NOT_OF_MEANING.has(member)) return undefined;
  if (typeof value !== "object" || value === null || member === "")
    return value;
  const [first = value] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof first === "object" && first !== null && "mayFail" in first)
    return undefined;
  // A row of a table.
  return "doc" in value && "name" in value ? value.name : value;
}

/** Members that say nothing about the meaning of a node, or follow from others. */
const NOT_OF_MEANING: ReadonlySet<string> = new Set([
  "span",
  "read",
  "isNested",
  "isBoolean",
  "mayBeNil",
  "mayFail",
]);
