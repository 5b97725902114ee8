import {
  childrenOf,
  withChildren,
  printExpression,
  type Node,
  type NodeOf,
} from "../language";
import { canonicalText } from "../language/syntax/print-expression";
import { listEdits } from "./list-edits";

/** A small difference between two expressions; each text is one line. */
export type ExpressionEdit = {
  /**
   * The statement around the edit, with `...` in place of the edit; empty if the edit
   * is clear without it.
   */
  readonly at: string;
} & (
  | {
      /** An operand of `&&` or `||`, or an element of a list. */
      readonly kind: "added" | "removed" | "moved";
      /** What joins the operand to its neighbours; absent for a list's element. */
      readonly operator?: LogicalOperator;
      readonly text: string;
    }
  | {
      readonly kind: "replaced";
      readonly before: string;
      readonly after: string;
    }
);

/**
 * The differences between two expressions, as small as they can be: one for
 * each operand and list element, and for a comparison only the side that
 * differs. Empty when only the spelling differs.
 */
export function expressionEdits(before: Node, after: Node): ExpressionEdit[] {
  return edits(before, after, { put: itself, isWhole: true });
}

type Put = (part: Node) => Node;

interface Place {
  /** Rebuilds the statement around it with another part there. */
  readonly put: Put;
  readonly isWhole?: boolean;
}

const HOLE: Node = {
  kind: "name",
  name: "...",
  span: { offset: 0, length: 0 },
};

const itself: Put = (part) => part;

function edits(before: Node, after: Node, place: Place): ExpressionEdit[] {
  if (isSame(before, after)) return [];
  const groups = groupsOf(before, after);
  if (groups) return groupEdits(before, groups, place);
  const inner = onlyDifference(before, after);
  if (inner) {
    const put: Put = (part) => place.put(withChild(before, inner[0], part));
    return edits(...inner, { put });
  }
  const around = place.put(HOLE);
  return [
    {
      kind: "replaced",
      at: around === HOLE ? "" : printExpression(around),
      before: printExpression(before),
      after: printExpression(after),
    },
  ];
}

/**
 * The edits of a group: members that were added, removed or moved, and the differences
 * within replaced members.
 */
function groupEdits(
  group: Node,
  { operator, before, after }: Groups,
  { put, isWhole }: Place,
): ExpressionEdit[] {
  const withMembers = (...members: Node[]): Node =>
    operator
      ? { kind: "logical", operator, operands: members, span: group.span }
      : { kind: "list", elements: members, span: group.span };
  const around = put(operator ? withMembers(HOLE, HOLE) : withMembers(HOLE));
  const isOperand = put === itself && !isWhole;
  const at = isWhole ? "" : printExpression(isOperand ? group : around);
  const member: Place = {
    put: operator ? itself : (part) => put(withMembers(part)),
  };
  return listEdits(before, after, canonicalText).flatMap((edit) =>
    edit.kind === "replaced"
      ? edits(edit.before, edit.after, member)
      : [{ kind: edit.kind, at, operator, text: printExpression(edit.item) }],
  );
}

/**
 * The only subexpression in which two expressions differ, before and after; undefined
 * if they differ in several.
 */
function onlyDifference(before: Node, after: Node): [Node, Node] | undefined {
  // A field's name is compared as a whole.
  if (after.kind === "member" && after.notation === "dot") return undefined;
  const others = childrenOf(after);
  const place = childrenOf(before).findIndex((child, i) => {
    const other = others[i];
    return !other || !isSame(child, other);
  });
  const [was, is] = [childrenOf(before)[place], others[place]];
  if (!was || !is) return undefined;
  return isSame(before, withChild(after, is, was)) ? [was, is] : undefined;
}

const withChild = (node: Node, child: Node, part: Node): Node =>
  withChildren(node, (one) => (one === child ? part : one));

/** Whether two nodes differ at most in spelling. */
const isSame = (a: Node, b: Node) => canonicalText(a) === canonicalText(b);

/** What joins the operands of a logical expression. */
export type LogicalOperator = NodeOf<"logical">["operator"];

/** Two expressions as groups of members: operands of one operator, or elements. */
export interface Groups {
  readonly operator?: LogicalOperator;
  readonly before: readonly Node[];
  readonly after: readonly Node[];
}

/**
 * Two expressions as groups, if edits of members are easier to read: for two lists, and
 * for operands some of which stayed or each of which has a counterpart.
 */
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
