import { assertNever } from "../../assert-never";
import type { Node } from "./ast";

/** The nodes directly under a node, in the order of the source. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "boolean":
    case "nil":
    case "integer":
    case "float":
    case "string":
    case "name":
    case "pointer":
      return [];
    case "member":
      return [node.object, node.property];
    case "unary":
      return [node.operand];
    case "binary":
    case "coalesce":
      return [node.left, node.right];
    case "order":
    case "logical":
      return node.operands;
    case "conditional":
      return node.consequent
        ? [node.condition, node.consequent, node.alternate]
        : [node.condition, node.alternate];
    case "list":
      return node.elements;
    case "call":
      return node.args;
    case "quantifier":
      return node.condition ? [node.list, node.condition] : [node.list];
    default:
      return assertNever(node);
  }
}

/** A node, and the list whose elements `#` stands for at its place. */
export interface Visit {
  readonly node: Node;
  readonly around: Node | undefined;
}

/**
 * Every node under a root and the root itself, children before their parent. It
 * takes no stack, so that no depth of nesting is too much for those who use it.
 */
export function postOrder(root: Node): Visit[] {
  const visits: Visit[] = [];
  const open: Visit[] = [{ node: root, around: undefined }];
  // Parents first and from right to left, then turned around.
  for (let visit = open.pop(); visit; visit = open.pop()) {
    visits.push(visit);
    const { node, around } = visit;
    for (const child of childrenOf(node))
      open.push({
        node: child,
        around:
          node.kind === "quantifier" && child === node.condition
            ? node.list
            : around,
      });
  }
  return visits.reverse();
}
