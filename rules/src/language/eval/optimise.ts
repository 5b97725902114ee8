import { childrenOf, postOrder, type Node, type NodeOf } from "../syntax/ast";
import { functionsOf, operatorsOf, rowOf } from "../tables/lookup";
import { canonicalText } from "../syntax/print-expression";

/**
 * Rewrites an expression as expr-lang's optimiser does, as far as that changes
 * results: a folded node can no longer fail, and two quantifiers over one list
 * become one. `became` is called for every node that replaces another one.
 */
export function optimise(
  root: Node,
  became: (from: Node, to: Node) => void,
): Node {
  const rewritten = new Map<Node, Node>();
  for (const { node } of postOrder(root)) {
    const isChanged = childrenOf(node).some((c) => rewritten.get(c) !== c);
    const copy = isChanged
      ? withChildren(node, (child) => rewritten.get(child) ?? child)
      : node;
    const result = combine(fold(copy));
    if (result !== node) became(node, result);
    rewritten.set(node, result);
  }
  return rewritten.get(root) ?? root;
}

function withChildren(node: Node, of: (child: Node) => Node): Node {
  switch (node.kind) {
    case "member":
      return { ...node, object: of(node.object), property: of(node.property) };
    case "unary":
      return { ...node, operand: of(node.operand) };
    case "binary":
    case "coalesce":
      return { ...node, left: of(node.left), right: of(node.right) };
    case "order":
    case "logical":
      return { ...node, operands: node.operands.map(of) };
    case "conditional":
      return {
        ...node,
        condition: of(node.condition),
        consequent: node.consequent && of(node.consequent),
        alternate: of(node.alternate),
      };
    case "list":
      // expr-lang recognises lists of literals before it folds the signs of numbers.
      return {
        ...node,
        elements: node.elements.map((e) => (e.kind === "unary" ? e : of(e))),
      };
    case "call":
      return { ...node, args: node.args.map(of) };
    case "quantifier":
      return {
        ...node,
        list: of(node.list),
        condition: node.condition && of(node.condition),
      };
    default:
      return node;
  }
}

function fold(node: Node): Node {
  const { span } = node;
  if (node.kind === "logical") return foldLogical(node);
  if (node.kind === "unary") {
    const { operand, operator } = node;
    if (operator === "!" && operand.kind === "boolean")
      return { kind: "boolean", value: !operand.value, span };
    const sign = operator === "-" ? -1 : 1;
    if (operand.kind === "integer")
      return { ...operand, value: operand.value * BigInt(sign), span };
    if (operand.kind === "float")
      return { ...operand, value: operand.value * sign, span };
  }
  if (node.kind === "binary" && node.operator === "==") {
    const { left, right } = node;
    const isFolded =
      left.kind === right.kind &&
      (left.kind === "integer" ||
        left.kind === "string" ||
        left.kind === "boolean");
    if (isFolded)
      return {
        kind: "boolean",
        value: left.value === (right as typeof left).value,
        span,
      };
  }
  if (node.kind === "quantifier" && node.name === "filter")
    return foldFilter(node);
  return node;
}

/** A constant operand settles the result, or is left out. */
function foldLogical(node: NodeOf<"logical">): Node {
  const { operator, span } = node;
  const { decides } = rowOf(operatorsOf.logical, operator);
  const isConstant = (value: boolean) => (operand: Node) =>
    operand.kind === "boolean" && operand.value === value;
  if (node.operands.some(isConstant(decides)))
    return { kind: "boolean", value: decides, span };
  const operands = node.operands.filter((o) => !isConstant(!decides)(o));
  const [first] = operands;
  if (!first) return { kind: "boolean", value: !decides, span };
  if (operands.length === 1) return first;
  return operands.length === node.operands.length
    ? node
    : { ...node, operands };
}

function foldFilter(node: NodeOf<"quantifier">): Node {
  const { list, condition, span } = node;
  const isNested = list.kind === "quantifier" && list.name === "filter";
  if (!isNested || !list.condition || !condition) return node;
  const both = foldLogical({
    kind: "logical",
    operator: "&&",
    operands: [list.condition, condition],
    span,
  });
  return { ...node, list: list.list, condition: both };
}

/** Joins quantifiers, from the left: `any(a, p) || any(a, q)` becomes `any(a, p || q)`. */
function combine(node: Node): Node {
  if (node.kind !== "logical") return node;
  const [first, ...rest] = node.operands;
  let left = first;
  let used = 0;
  for (const right of rest) {
    const combined = left && combineTwo(node, left, right);
    if (!combined) break;
    left = combined;
    used++;
  }
  if (!left || used === 0) return node;
  const others = rest.slice(used);
  return others.length === 0 ? left : { ...node, operands: [left, ...others] };
}

function combineTwo(
  { operator, span }: NodeOf<"logical">,
  left: Node,
  right: Node,
): Node | undefined {
  if (left.kind !== "quantifier" || right.kind !== "quantifier")
    return undefined;
  const row = rowOf(functionsOf.quantifier, left.name);
  if (left.name !== right.name || row.result !== "boolean") return undefined;
  // "Some element does" joins over ||; each negation swaps || and &&.
  if (operator !== (row.negatesResult ? "&&" : "||")) return undefined;
  if (!left.condition || !right.condition) return undefined;
  if (canonicalText(left.list) !== canonicalText(right.list)) return undefined;
  const condition = combine({
    kind: "logical",
    operator: row.negatesCondition ? "&&" : "||",
    operands: [left.condition, right.condition],
    span,
  });
  return { ...left, condition, span };
}
