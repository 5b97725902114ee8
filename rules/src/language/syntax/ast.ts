import {
  childrenBy,
  type ChildTable,
  type KindsOf,
} from "../../children-first";
import type { FunctionName, QuantifierName } from "../tables/functions";
import type {
  BinaryOperator,
  OrderOperator,
  PrefixOperatorName,
} from "../tables/operators";
import type { Span } from "./problem";

/**
 * A node of an expression. Nodes never change. `and`, `or` and `not` become `&&`,
 * `||` and `!`.
 */
export type Node = {
  /**
   * The place of the node without brackets around it. The text there is an expression: it
   * has the brackets of the operands.
   */
  readonly span: Span;
  /**
   * With the outermost brackets around the node; absent without brackets. `a && (b && c)`
   * is not the chain `a && b && c`.
   */
  readonly outer?: Span;
} & NodeForm;

/** A node without its place. */
export type NodeForm = KindsOf<NodeKinds>;

interface NodeKinds {
  boolean: { value: boolean };
  nil: object;
  integer: { value: bigint };
  float: { value: number };
  string: { value: string };
  name: { name: string };
  /** `#`: the element that the condition of a quantifier is evaluated for. */
  pointer: object;
  /** `object[property]`, or `object.property`, where the property is a string node. */
  member: { object: Node; property: Node; notation: "dot" | "index" };
  unary: { operator: PrefixOperatorName; operand: Node };
  binary: {
    operator: BinaryOperator;
    /** Whether `not` stands in front of the operator, as in `not in`. */
    negated: boolean;
    left: Node;
    right: Node;
  };
  order: {
    /** The operators between the operands; one fewer than operands. */
    operators: readonly OrderOperator[];
    operands: readonly Node[];
  };
  logical: {
    operator: "&&" | "||";
    /** Two or more, from left to right. */
    operands: readonly Node[];
  };
  coalesce: { left: Node; right: Node };
  conditional: {
    condition: Node;
    /** Absent in `a ?: b`, where the condition takes its place. */
    consequent: Node | undefined;
    alternate: Node;
  };
  list: { elements: readonly Node[] };
  call: { name: FunctionName; args: readonly Node[] };
  quantifier: {
    name: QuantifierName;
    list: Node;
    /** Absent only for `count(list)`. */
    condition: Node | undefined;
  };
}

/** The place of a node with the brackets around it. The text there can be an operand. */
export const withBrackets = ({ span, outer = span }: Node): Span => outer;

/** The node of one kind. */
export type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

/** A parsed expression whose types were not checked. */
export interface Expression {
  readonly source: string;
  readonly root: Node;
}

/** The members of each kind of node that hold other nodes, in the order of the source. */
const CHILDREN = {
  boolean: [],
  nil: [],
  integer: [],
  float: [],
  string: [],
  name: [],
  pointer: [],
  member: ["object", "property"],
  unary: ["operand"],
  binary: ["left", "right"],
  coalesce: ["left", "right"],
  order: ["operands"],
  logical: ["operands"],
  conditional: ["condition", "consequent", "alternate"],
  list: ["elements"],
  call: ["args"],
  quantifier: ["list", "condition"],
} as const satisfies ChildTable<Node>;

/** The nodes directly under a node, in the order of the source. */
export const childrenOf = childrenBy<Node>(CHILDREN);

/** A node with each node directly under it replaced. */
export function withChildren(node: Node, replace: (child: Node) => Node): Node {
  const values: Record<string, unknown> = { ...node };
  for (const name of CHILDREN[node.kind]) {
    const value = values[name] as Node | readonly Node[] | undefined;
    if (value !== undefined)
      values[name] = Array.isArray(value)
        ? value.map((child: Node) => replace(child))
        : replace(value as Node);
  }
  return values as unknown as Node;
}

/** A node, and the list whose elements `#` stands for within it. */
export interface VisitedNode {
  readonly node: Node;
  readonly around: Node | undefined;
}

/**
 * The nodes under a root and the root itself, children before their parents. A
 * loop instead of a recursion keeps deep expressions off the stack.
 */
export function postOrder(root: Node): VisitedNode[] {
  const visits: VisitedNode[] = [];
  const stack: VisitedNode[] = [{ node: root, around: undefined }];
  // Collects parents before their children, from right to left, and reverses that.
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    visits.push(visit);
    const { node, around } = visit;
    for (const child of childrenOf(node))
      stack.push({
        node: child,
        around:
          node.kind === "quantifier" && child === node.condition
            ? node.list
            : around,
      });
  }
  return visits.reverse();
}
