import {
  childrenOf,
  withChildren,
  printExpression,
  type Node,
  type NodeOf,
} from "../language";
import { canonicalIds } from "../language/syntax/print-expression";
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
  return edits(before, after, {
    idOf: canonicalIds(),
    put: itself,
    isWhole: true,
  });
}

type Put = (part: Node) => Node;

interface Place {
  /** Equal for two nodes that differ at most in spelling. */
  readonly idOf: (node: Node) => string;
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
  const { idOf } = place;
  if (idOf(before) === idOf(after)) return [];
  const groups = groupsOf(before, after, idOf);
  if (groups) return groupEdits(before, groups, place);
  const inner = onlyDifference(before, after, idOf);
  if (inner) {
    const put: Put = (part) => place.put(withChild(before, inner[0], part));
    return edits(...inner, { idOf, put });
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
  { idOf, put, isWhole }: Place,
): ExpressionEdit[] {
  const withMembers = (...members: Node[]): Node =>
    operator
      ? { kind: "logical", operator, operands: members, span: group.span }
      : { kind: "list", elements: members, span: group.span };
  const around = () =>
    put(operator ? withMembers(HOLE, HOLE) : withMembers(HOLE));
  const isOperand = put === itself && !isWhole;
  const at = () =>
    isWhole ? "" : printExpression(isOperand ? group : around());
  const member: Place = {
    idOf,
    put: operator ? itself : (part) => put(withMembers(part)),
  };
  return listEdits(before, after, idOf).flatMap((edit) =>
    edit.kind === "replaced"
      ? edits(edit.before, edit.after, member)
      : [
          {
            kind: edit.kind,
            at: at(),
            operator,
            text: printExpression(edit.item),
          },
        ],
  );
}

/**
 * The only subexpression in which two expressions differ, before and after; undefined
 * if they differ in several.
 */
function onlyDifference(
  before: Node,
  after: Node,
  idOf: Place["idOf"],
): [Node, Node] | undefined {
  // A field's name is compared as a whole.
  if (after.kind === "member" && after.notation === "dot") return undefined;
  const others = childrenOf(after);
  const place = childrenOf(before).findIndex((child, i) => {
    const other = others[i];
    return !other || idOf(child) !== idOf(other);
  });
  const [was, is] = [childrenOf(before)[place], others[place]];
  if (!was || !is) return undefined;
  return idOf(before) === idOf(withChild(after, is, was))
    ? [was, is]
    : undefined;
}

const withChild = (node: Node, child: Node, part: Node): Node =>
  withChildren(node, (one) => (one === child ? part : one));

/** What joins the operands of a logical expression. */
type LogicalOperator = NodeOf<"logical">["operator"];

/** Two expressions as groups of members: operands of one operator, or elements. */
interface Groups {
  readonly operator?: LogicalOperator;
  readonly before: readonly Node[];
  readonly after: readonly Node[];
}

/**
 * Two expressions as groups, if edits of members are easier to read: for two lists, and
 * for operands some of which stayed or each of which has a counterpart.
 */
function groupsOf(
  before: Node,
  after: Node,
  idOf: Place["idOf"],
): Groups | undefined {
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
    const kept = new Set(groups.before.map(idOf));
    if (groups.after.some((node) => kept.has(idOf(node)))) return groups;
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
