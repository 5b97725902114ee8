import {
  checkExpression,
  childrenOf,
  type CheckedExpression,
  type Node,
  type NodeOf,
} from "../language";
import type { LintedRule } from "./linted-set";

/**
 * The same expression, but a comparison with a missing element is one with a
 * value that equals nothing: `a[0] == 'b'` becomes `len(a) > 0 && a[0] == 'b'`,
 * and `a[0] != 'b'` becomes `len(a) <= 0 || a[0] != 'b'`. Undefined where that
 * cannot be written so: an index that is no literal, an element in a branch.
 */
export function withoutFailures({
  nodes,
  expression: { source, types },
}: LintedRule): CheckedExpression | undefined {
  /** What is read under a node and not yet under the guard of a comparison. */
  const open = new Map<Node, readonly Element[]>();
  const before = new Map<number, string>();
  const after = new Map<number, string>();
  for (const { node } of nodes) {
    const read = [
      ...childrenOf(node).flatMap((child) => open.get(child) ?? []),
      ...(isElement(node, types) ? [node] : []),
    ];
    const isGuarded = read.length > 0 && types.get(node)?.kind === "boolean";
    if (!isGuarded) {
      const isBranch = node.kind === "conditional" || node.kind === "coalesce";
      if (isBranch && read.length > 0) return undefined;
      open.set(node, read);
      continue;
    }
    const isNegative =
      node.kind === "binary" && (node.negated || node.operator === "!=");
    let guard = "";
    for (const { object, property } of read) {
      const least = leastLength(property);
      if (least === undefined) return undefined;
      const { offset, length } = object.span;
      const list = source.slice(offset, offset + length);
      guard += isNegative
        ? `len(${list}) <= ${least} || `
        : `len(${list}) > ${least} && `;
    }
    const { offset, length } = node.span;
    const end = offset + length;
    // Children come first: what is around them goes outside of what is there.
    before.set(offset, `(${guard}(${before.get(offset) ?? ""}`);
    after.set(end, `${after.get(end) ?? ""}))`);
  }
  const checked = checkExpression(insert(source, before, after));
  return checked.ok ? checked.expression : undefined;
}

/** `list[index]`, which fails where the list is too short. */
export type Element = NodeOf<"member">;

/** Whether a node is an element of a list. */
export function isElement(
  node: Node,
  types: CheckedExpression["types"],
): node is Element {
  return node.kind === "member" && types.get(node.object)?.kind === "list";
}

/** A list has the element at an index if it is longer than this; undefined for an index that is no literal. */
export function leastLength(index: Node): bigint | undefined {
  if (index.kind === "integer") return index.value;
  if (index.kind !== "unary" || index.operand.kind !== "integer")
    return undefined;
  const { value } = index.operand;
  return index.operator === "-" && value > 0n ? value - 1n : value;
}

function insert(
  source: string,
  before: ReadonlyMap<number, string>,
  after: ReadonlyMap<number, string>,
): string {
  let text = "";
  for (let i = 0; i <= source.length; i++)
    text += `${after.get(i) ?? ""}${before.get(i) ?? ""}${source[i] ?? ""}`;
  return text;
}
