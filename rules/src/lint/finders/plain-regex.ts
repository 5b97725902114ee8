import { printExpression, type NodeOf } from "../../language";
import { quote } from "../../language/syntax/print-expression";
import type { FindInRule, RuleEdit } from "../set/lint";
import { asComparison } from "../set/plain-comparison";

/** Finds patterns that a plain comparison could replace. */
export const findPlainRegex: FindInRule = ({
  nodes,
  expression: { types, source },
}) =>
  nodes.flatMap(({ node }) => {
    const plain = asComparison(node, types);
    return plain
      ? {
          message: "this pattern is a plain comparison",
          fix: `write ${printExpression(plain)}`,
          span: node.span,
          edits: rewriting(plain, source),
        }
      : [];
  });

/** The edit that writes the comparison; undefined if a comment next to the operator would be lost. */
function rewriting(
  { left, right, operator, negated }: NodeOf<"binary">,
  source: string,
): RuleEdit[] | undefined {
  const from = left.span.offset + left.span.length;
  const found = /^([\s)]*)(?:not\s+)?matches(\s*)$/.exec(
    source.slice(from, right.span.offset),
  );
  if (!found || right.kind !== "string") return undefined;
  const [, before = "", behind = ""] = found;
  const offset = from + before.length;
  const { span, value } = right;
  return [
    {
      kind: "replace",
      offset,
      length: span.offset + span.length - offset,
      text: `${negated ? "not " : ""}${operator}${behind}${quote(value)}`,
    },
  ];
}
