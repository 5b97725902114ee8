import { printExpression, type Node, type ValueType } from "../language";
import type { FindInRule } from "./lint";

/** Finds patterns that a plain comparison could replace. */
export const findPlainRegex: FindInRule = ({ nodes, expression: { types } }) =>
  nodes.flatMap(({ node }) => {
    const plain = asComparison(node, types);
    return plain
      ? [
          {
            message: "this pattern is a plain comparison",
            fix: `write ${printExpression(plain)}`,
            span: node.span,
          },
        ]
      : [];
  });

/** `^` or none, characters that stand for themselves, `$` or none. */
const PLAIN = /^(\^?)((?:[^\\.+*?()|[\]{}^$]|\\[^A-Za-z0-9])*)(\$?)$/u;

/** The comparison that says the same as a match with a plain pattern. */
function asComparison(
  node: Node,
  types: ReadonlyMap<Node, ValueType>,
): Node | undefined {
  if (node.kind !== "binary" || node.operator !== "matches") return undefined;
  const { left, right, negated, span } = node;
  if (right.kind !== "string") return undefined;
  const [, start, body, end] = PLAIN.exec(right.value) ?? [];
  if (body === undefined || (body === "" && !(start && end))) return undefined;
  const text: Node = {
    kind: "string",
    value: body.replace(/\\(.)/gsu, "$1"),
    span: right.span,
  };
  const comparison = { kind: "binary", left, right: text, span } as const;
  if (!start || !end)
    return {
      ...comparison,
      operator: start ? "startsWith" : end ? "endsWith" : "contains",
      negated,
    };
  // A missing value matches no pattern, but comparing it fails.
  if (types.get(left)?.nullable) return undefined;
  return { ...comparison, operator: negated ? "!=" : "==", negated: false };
}
