import { partOfExpression, type CheckedExpression } from "./check-expression";
import { withChildren, type Node } from "../syntax/ast";
import { parseExpression } from "../syntax/parse-expression";
import { printExpression } from "../syntax/print-expression";
import { applyEdits, type TextEdit } from "../syntax/text-edit";

/**
 * A tree in place of a node of an expression, and the edit of the source that writes it.
 * What the edit means is read from the tree.
 */
export interface TreeEdit extends TextEdit {
  readonly node: Node;
  readonly by: Node;
}

/** The tree of a text that is written here, in which `#` may stand. @throws Error for a text that is no expression */
export function treeOf(text: string): Node {
  const parsed = parseExpression(`any([], ${text})`);
  const root = parsed.ok ? parsed.expression.root : undefined;
  if (root?.kind !== "quantifier" || !root.condition)
    throw new Error(`${text} is no expression.`);
  return root.condition;
}

/** A tree with another one in place of one of its nodes. */
export function withNode(tree: Node, node: Node, by: Node): Node {
  if (tree === node) return by;
  const isWithin =
    tree.span.offset <= node.span.offset &&
    node.span.offset + node.span.length <= tree.span.offset + tree.span.length;
  return isWithin
    ? withChildren(tree, (child) => withNode(child, node, by))
    : tree;
}

/** An expression that is made of nodes of another one; undefined if their types do not fit. */
export const madeExpression = (
  root: Node,
  whole: CheckedExpression,
): CheckedExpression | undefined =>
  partOfExpression({ ...whole, source: printExpression(root) }, root);

/**
 * An expression with edits, which is not parsed again; undefined if the types do not fit.
 * Places in it still count in the source before the edits.
 */
export const editedExpression = (
  expression: CheckedExpression,
  edits: readonly TreeEdit[],
): CheckedExpression | undefined =>
  partOfExpression(
    { ...expression, source: applyEdits(expression.source, edits) },
    edits.reduce(
      (tree, { node, by }) => withNode(tree, node, by),
      expression.root,
    ),
  );
