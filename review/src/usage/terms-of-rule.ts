import {
  checkExpression,
  withBrackets,
  type CheckedExpression,
  type Node,
} from "@devid/rules/language";

/** An alternative in an expression, as an expression of its own. */
export interface Alternative {
  readonly expression: CheckedExpression;
  /** Whether the alternative stands behind an odd number of negations. */
  readonly isException: boolean;
}

/**
 * The alternatives of an expression: the operands of `||`, and the values of a list
 * behind `in`, if only `&&`, `||` and `!` stand around them. Without an alternative,
 * the expression is true for fewer requests. Without an exception, it is true for more.
 */
export function termsOfRule({
  root,
  source,
}: CheckedExpression): Alternative[] {
  const found: Alternative[] = [];
  const add = (text: string, isException: boolean) => {
    const checked = checkExpression(text);
    if (checked.ok) found.push({ expression: checked.expression, isException });
  };
  const textOf = (node: Node) => {
    const { offset, length } = withBrackets(node);
    return source.slice(offset, offset + length);
  };
  const collect = (node: Node, isException: boolean): void => {
    if (node.kind === "logical")
      for (const operand of node.operands) {
        // Each value of a list is a term.
        if (node.operator === "||" && !isListTest(operand))
          add(textOf(operand), isException);
        collect(operand, isException);
      }
    else if (node.kind === "unary" && node.operator === "!")
      collect(node.operand, !isException);
    else if (isListTest(node))
      for (const value of node.right.elements)
        add(
          `${textOf(node.left)} in [${textOf(value)}]`,
          isException !== node.negated,
        );
  };
  collect(root, false);
  return found;
}

type ListTest = Extract<Node, { kind: "binary" }> & {
  readonly right: Extract<Node, { kind: "list" }>;
};

function isListTest(node: Node): node is ListTest {
  return (
    node.kind === "binary" &&
    node.operator === "in" &&
    node.right.kind === "list" &&
    node.right.elements.length > 1
  );
}
