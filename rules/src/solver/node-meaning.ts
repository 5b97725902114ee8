import { assertNever } from "../assert-never";
import {
  childrenOf,
  type Node,
  type NodeOf,
  type ValueType,
} from "../language";
import { needsOf } from "../language/eval/needs";
import { canonicalText } from "../language/syntax/print-expression";
import { callMeaning } from "./call-meaning";
import { comparisonMeaning, orderMeaning } from "./comparison-meaning";
import { and, NEVER, numberWithin, or } from "./formula";
import { isMissing } from "./header-formula";
import { logicTruth, notTruth } from "./logic-meaning";
import {
  always,
  combine,
  constant,
  FAILS,
  fromTruth,
  truthOf,
  type Meaning,
  type Operand,
} from "./meaning";
import { memberMeaning } from "./member-meaning";
import { quantifierMeaning } from "./quantifier-meaning";
import { only, type Range } from "./ranges";
import type { NumberSubject } from "./subject";

/** What the meaning of a node depends on, besides the node. */
export interface Context {
  readonly types: ReadonlyMap<Node, ValueType>;
  readonly typeOf: (node: Node) => ValueType;
  /** What `#` is; undefined outside of quantifiers. */
  readonly element: Operand | undefined;
  /** How many quantifiers are around. */
  readonly depth: number;
  /** How many nodes may still be looked at. */
  readonly budget: { left: number };
}

/** Most elements of a list that holds more than literals. */
const MAX_ELEMENTS = 16;

/** The meaning of an expression; undefined where it cannot be told. A boolean one always has one. */
export function nodeMeaning(root: Node, context: Context): Meaning | undefined {
  const isBoolean = (node: Node) => context.typeOf(node).kind === "boolean";
  const nodes = inOrder(root);
  context.budget.left -= nodes.length;
  if (context.budget.left < 0)
    return isBoolean(root) ? outcome(root, context) : undefined;
  const known = new Map<Node, Meaning | undefined>();
  const of = (node: Node) => known.get(node);
  for (const node of nodes)
    known.set(
      node,
      meaningOf(node, of, context) ??
        (isBoolean(node) ? outcome(node, context) : undefined),
    );
  return known.get(root);
}

/** Children before their parents, without the conditions of quantifiers. It takes no stack. */
function inOrder(root: Node): Node[] {
  const nodes: Node[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node);
    open.push(...(node.kind === "quantifier" ? [node.list] : childrenOf(node)));
  }
  return nodes.reverse();
}

type Of = (node: Node) => Meaning | undefined;

function meaningOf(node: Node, of: Of, context: Context): Meaning | undefined {
  switch (node.kind) {
    case "boolean":
    case "string":
    case "integer":
    case "float":
      return constant(node.value);
    case "nil":
      return constant(null);
    case "name":
      return always({ kind: "group" });
    case "pointer":
      return context.element && always(context.element);
    case "member":
      return memberMeaning(node, of, context.typeOf(node).name);
    case "unary":
      return unaryMeaning(node, of(node.operand));
    case "binary":
      return combineAll([node.left, node.right], of, (left, right) =>
        comparisonMeaning(node, context.typeOf, left, right),
      );
    case "order":
      return chainMeaning(node, of);
    case "logical": {
      const truths = node.operands.map((operand) =>
        truthOf(of(operand) ?? FAILS),
      );
      return fromTruth(logicTruth(node.operator, truths));
    }
    case "coalesce":
      return combineAll([node.left], of, (left) =>
        coalesced(left, of(node.right)),
      );
    case "conditional":
      return combineAll([node.condition], of, (condition) => {
        if (condition.kind !== "constant") return undefined;
        if (condition.value === null) return FAILS;
        const { consequent, alternate } = node;
        if (!condition.value) return of(alternate);
        return consequent ? of(consequent) : always(condition);
      });
    case "list":
      return listMeaning(node, of);
    case "call":
      return callMeaning(node, node.args.map(of));
    case "quantifier":
      return quantifierMeaning(node, of(node.list), context);
    default:
      return assertNever(node);
  }
}

function combineAll(
  nodes: readonly Node[],
  of: Of,
  make: (...operands: Operand[]) => Meaning | undefined,
): Meaning | undefined {
  const parts = nodes.map(of).filter((part) => part !== undefined);
  return parts.length === nodes.length ? combine(parts, make) : undefined;
}

function unaryMeaning(
  { operator }: NodeOf<"unary">,
  operand: Meaning | undefined,
): Meaning | undefined {
  if (!operand || operator === "+") return operand;
  if (operator === "!") return fromTruth(notTruth(truthOf(operand)));
  return combine([operand], (one) => {
    const value = one.kind === "constant" ? one.value : undefined;
    if (value === null) return FAILS;
    const isNumber = typeof value === "bigint" || typeof value === "number";
    return isNumber ? constant(-value) : undefined;
  });
}

/** Each with its neighbour, up to the first that fails. */
function chainMeaning(
  { operators, operands }: NodeOf<"order">,
  of: Of,
): Meaning | undefined {
  const pairs = operators.map((operator, i) =>
    combineAll(operands.slice(i, i + 2), of, (left, right) =>
      orderMeaning(operator, left, right),
    ),
  );
  const known = pairs.filter((pair) => pair !== undefined);
  return known.length === pairs.length
    ? fromTruth(logicTruth("&&", known.map(truthOf)))
    : undefined;
}

function coalesced(
  left: Operand,
  right: Meaning | undefined,
): Meaning | undefined {
  if (left.kind === "constant" && left.value === null) return right;
  if (left.kind !== "header") return always(left);
  if (!right) return undefined;
  const missing = isMissing(left.name);
  return {
    defined: or(missing.opposite, right.defined),
    cases: [
      { when: missing.opposite, operand: left },
      ...right.cases.map(({ when, operand }) => ({
        when: and(missing, when),
        operand,
      })),
    ],
  };
}

function listMeaning(
  { elements }: NodeOf<"list">,
  of: Of,
): Meaning | undefined {
  const literals = elements.map((element) => {
    const cases = of(element)?.cases ?? [];
    const [one] = cases;
    return cases.length === 1 && one?.operand.kind === "constant"
      ? one.operand
      : undefined;
  });
  const known = literals.filter((literal) => literal !== undefined);
  if (known.length === elements.length)
    return always({ kind: "list", elements: known });
  if (elements.length > MAX_ELEMENTS) return undefined;
  return combineAll(elements, of, (...operands) =>
    always({ kind: "list", elements: operands }),
  );
}

/** What a boolean expression comes to of which no more is known. */
function outcome(node: Node, context: Context): Meaning {
  const { typeOf, types, element } = context;
  const isOfElement = inOrder(node).some(({ kind }) => kind === "pointer");
  const place = isOfElement ? ` of ${element ? keyOf(element) : ""}` : "";
  const all: Range[] = [[0n, 1n]];
  if (needsOf(node, typeOf).canFail) all.push([2n, 2n]);
  if (typeOf(node).nullable) all.push([3n, 3n]);
  const subject: NumberSubject = {
    kind: "number",
    key: canonicalText(node) + place,
    all,
    what: "outcome",
    node,
    types,
    isOfElement,
  };
  return fromTruth({
    defined: numberWithin(subject, [
      [0n, 1n],
      [3n, 3n],
    ]),
    isNil: typeOf(node).nullable ? numberWithin(subject, only(3n)) : NEVER,
    holds: numberWithin(subject, only(1n)),
  });
}

function keyOf(element: Operand): string {
  if (element.kind === "text") return element.subject.key;
  return element.kind === "constant"
    ? `${typeof element.value} ${String(element.value)}`
    : element.kind;
}
