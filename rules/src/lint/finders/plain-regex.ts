import { printExpression } from "../../language";
import { replacement, type FindInRule } from "../set/lint";
import { asComparison } from "../set/plain-comparison";

/** Finds patterns that a plain comparison could replace. */
export const findPlainRegex: FindInRule = ({ nodes, expression: { types } }) =>
  nodes.flatMap(({ node }) => {
    const plain = asComparison(node, types);
    if (!plain) return [];
    const text = printExpression(plain);
    return {
      message: "this pattern is a plain comparison",
      fix: `write ${text}`,
      span: node.span,
      edits: [replacement(node, text)],
    };
  });
