import type { Node, NodeOf, ValueType } from "../../language";

/** `^` or none, characters that stand for themselves, `$` or none. */
const PLAIN = /^(\^?)((?:[^\\.+*?()|[\]{}^$]|\\[^A-Za-z0-9])*)(\$?)$/u;

/** The comparison that is equivalent to a match with a plain pattern; undefined for any other node. */
export function asComparison(
  node: Node,
  types: ReadonlyMap<Node, ValueType>,
): NodeOf<"binary"> | undefined {
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
