import { partOfExpression } from "@devid/rules/internals";
import type { CheckedExpression, Node } from "@devid/rules/language";

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
export function termsOfRule(expression: CheckedExpression): Alternative[] {
  const found: Alternative[] = [];
  const add = (node: Node, isException: boolean) => {
    const term = partOfExpression(expression, node);
    if (term) found.push({ expression: term, isException });
  };
  const collect = (node: Node, isException: boolean): void => {
    if (node.kind === "logical")
      for (const operand of node.operands) {
        // Each value of a list is a term.
        if (node.operator === "||" && !isListTest(operand))
          add(operand, isException);
        collect(operand, isException);
      }
    else if (node.kind === "unary" && node.operator === "!")
      collect(node.operand, !isException);
    else if (isListTest(node))
      for (const value of node.right.elements) {
        const right = { ...node.right, elements: [value] };
        add(
          { ...node, span: value.span, negated: false, right },
          isException !== node.negated,
        );
      }
  };
  collect(expression.root, false);
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
