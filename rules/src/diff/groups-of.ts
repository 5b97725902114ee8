import type { Node, NodeOf } from "../language";
import { canonicalText } from "../language/syntax/print-expression";

/** What joins the operands of a logical expression. */
export type LogicalOperator = NodeOf<"logical">["operator"];

/** Two expressions as groups of members: operands of one operator, or elements. */
export interface Groups {
  readonly operator?: LogicalOperator;
  readonly before: readonly Node[];
  readonly after: readonly Node[];
}

/** Two expressions as groups, where that reads best: two lists, or operands of which some stayed or each has its counterpart. */
export function groupsOf(before: Node, after: Node): Groups | undefined {
  if (before.kind === "list" && after.kind === "list")
    return { before: before.elements, after: after.elements };
  const [was, is] = [operatorOf(before), operatorOf(after)];
  for (const operator of [is, was]) {
    if (!operator) continue;
    const groups = {
      operator,
      before: operandsOf(before, operator),
      after: operandsOf(after, operator),
    };
    const kept = new Set(groups.before.map(canonicalText));
    if (groups.after.some((node) => kept.has(canonicalText(node))))
      return groups;
    if (was === is && groups.before.length === groups.after.length)
      return groups;
  }
  return undefined;
}

const operatorOf = (node: Node): LogicalOperator | undefined =>
  node.kind === "logical" ? node.operator : undefined;

const operandsOf = (node: Node, operator: LogicalOperator): readonly Node[] =>
  node.kind === "logical" && node.operator === operator
    ? node.operands
    : [node];
