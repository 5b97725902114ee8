import type { Span } from "./problem";

/** Operators between two operands, apart from logic and order. */
export type BinaryOperator =
  "==" | "!=" | "in" | "matches" | "contains" | "startsWith" | "endsWith";

/** Operators of order; a chain of them compares each with its neighbour. */
export type OrderOperator = "<" | ">" | "<=" | ">=";

/** Functions that are called with values. */
export type FunctionName = "len" | "lower" | "upper" | "trim" | "cidr";

/** Functions that are called with a list and a condition for its elements. */
export type QuantifierName = "any" | "all" | "none" | "filter" | "count";

/**
 * A node of an expression. Nodes are never changed. `and`, `or` and `not` are
 * read as `&&`, `||` and `!`; brackets leave no trace but the shape of the tree.
 */
export type Node = { readonly span: Span } & (
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "nil" }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "name"; readonly name: string }
  /** The element that a quantifier looks at: `#`. */
  | { readonly kind: "pointer" }
  /** `object.property`, whose property is a string, or `object[property]`. */
  | {
      readonly kind: "member";
      readonly object: Node;
      readonly property: Node;
      readonly notation: "dot" | "index";
    }
  | {
      readonly kind: "unary";
      readonly operator: "!" | "-" | "+";
      readonly operand: Node;
    }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      /** `not in`, `not contains` and their like. */
      readonly negated: boolean;
      readonly left: Node;
      readonly right: Node;
    }
  | {
      readonly kind: "order";
      /** One fewer than operands. */
      readonly operators: readonly OrderOperator[];
      readonly operands: readonly Node[];
    }
  | {
      readonly kind: "logical";
      readonly operator: "&&" | "||";
      /** Two or more, from left to right. */
      readonly operands: readonly Node[];
    }
  | { readonly kind: "coalesce"; readonly left: Node; readonly right: Node }
  | {
      readonly kind: "conditional";
      readonly condition: Node;
      /** Absent: the condition itself, as in `a ?: b`. */
      readonly consequent: Node | undefined;
      readonly alternate: Node;
    }
  | { readonly kind: "list"; readonly elements: readonly Node[] }
  | {
      readonly kind: "call";
      readonly name: FunctionName;
      readonly args: readonly Node[];
    }
  | {
      readonly kind: "quantifier";
      readonly name: QuantifierName;
      readonly list: Node;
      /** Absent only for `count(list)`. */
      readonly condition: Node | undefined;
    }
);

/** The node of one kind. */
export type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

/** An expression that was parsed, its types not yet looked at. */
export interface Expression {
  readonly source: string;
  readonly root: Node;
}
