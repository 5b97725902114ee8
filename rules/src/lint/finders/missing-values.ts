import { compileExpression } from "../../eval/compile-expression";
import {
  printExpression,
  type CheckedExpression,
  type RuleRequest,
  withChildren,
  postOrder,
  type Node,
  type NodeOf,
} from "../../language";
import {
  all,
  allows,
  fails,
  matches,
  not,
  noneMatches,
  type Condition,
} from "../../solver/condition";
import { quote } from "../../language/syntax/print-expression";
import { madeExpression, treeOf } from "../../language/types/tree-edit";
import { holdsFor, keepsMatches } from "../set/prove";
import { headerOf } from "../set/read-headers";
import {
  replacement,
  type FindInRule,
  type TreeReplacement,
} from "../set/lint";
import { type LintedRule, type LintedSet } from "../set/linted-set";

/** Finds conditions that fail on a missing value and so change what the rule set decides. */
export const findMayFail: FindInRule = (rule, set) => {
  const { nodes, expression } = rule;
  const { root, types } = expression;
  const isRead = nodes.some(({ node }) => isElement(node, types));
  const filled =
    isRead && !missesWhereItFails(root, types) && withoutFailures(rule);
  const request = filled && wronglyDecided(rule, filled, set);
  const element = request && failingElement(rule, request);
  if (!element) return undefined;
  const [verb, decided] = rule.isDeny
    ? ["be denied", "gets through"]
    : ["get through", "is denied"];
  const guarded = guard(rule, element, set);
  const meant = printExpression(filled.root);
  const isKept = deniesAll(rule, filled, set);
  return {
    span: element.span,
    request,
    message: `a request without ${nameOf(element, expression)} makes this fail, and ${decided}`,
    fix: isKept
      ? guarded.fix
      : `to change no decision, ${guarded.fix}; if it should ${verb}, write ${meant}`,
    edits: isKept
      ? guarded.edit && [guarded.edit]
      : [replacement(root, meant, filled.root)],
  };
};

/**
 * Whether a condition that fails on a missing value would simply be false if the
 * missing value equalled nothing: `a[0] == 'b' && c`.
 */
function missesWhereItFails(
  node: Node,
  types: CheckedExpression["types"],
): boolean {
  if (node.kind === "logical" && node.operator === "&&")
    return node.operands.every((operand) => missesWhereItFails(operand, types));
  const isComparison =
    node.kind === "binary" && !node.negated && node.operator !== "!=";
  return (
    isComparison || !postOrder(node).some((one) => isElement(one.node, types))
  );
}

/** Hold for normal requests: every header that the rule reads is missing, or has a value. */
const sentHeaders = ({ nodes, expression }: LintedRule): Condition[] =>
  nodes
    .flatMap(({ node }) => headerOf(node, expression.types) ?? [])
    .map((name) =>
      holdsFor(
        `${quote(name)} not in http.request.headers || len(http.request.headers[${quote(name)}]) > 0`,
      ),
    );

/**
 * A request on which the rule fails because a value is missing, and for which the whole
 * set would decide the opposite if the missing value equalled nothing. A disabled rule
 * is treated as enabled.
 */
function wronglyDecided(
  rule: LintedRule,
  filled: CheckedExpression,
  set: LintedSet,
): RuleRequest | undefined {
  const [before, after] = [set.before(rule), set.after(rule)];
  if (set.isUnknownBefore(rule) || !after) return undefined;
  const counts = all(
    fails(rule.expression),
    matches(filled),
    ...sentHeaders(rule),
    noneMatches(before),
    rule.isDeny ? allows(after) : not(allows(after)),
  );
  return set.findRequest(counts).request;
}

/** Whether the rules deny every request if a missing value equals nothing. */
function deniesAll(
  rule: LintedRule,
  filled: CheckedExpression,
  set: LintedSet,
): boolean {
  const after = set.after(rule);
  if (!rule.isDeny || !after) return false;
  const mended = {
    rule: { ...rule.rule, status: "enabled" as const },
    expression: filled,
  };
  return set.isImpossible(allows([...set.before(rule), mended, ...after]));
}

/** A fix that keeps all decisions: the rule first checks that the value exists. */
function guard(
  rule: LintedRule,
  element: Element,
  set: LintedSet,
): { readonly fix: string; readonly edit?: TreeReplacement } {
  const isThere = lengthTest(element, ">");
  if (isThere === undefined) return { fix: "check first that it exists" };
  const { root } = rule.expression;
  const guarded: Node = {
    ...{ kind: "logical", operator: "&&", span: root.span },
    operands: [treeOf(isThere), root],
  };
  const edit = replacement(root, printExpression(guarded), guarded);
  if (!keepsMatches(rule, edit, set))
    return { fix: `ask for ${isThere} before it is read` };
  return { fix: `write ${edit.text}`, edit };
}

/**
 * The list element whose absence makes the rule fail on a request; undefined if the
 * failure has another cause.
 */
function failingElement(
  { nodes, expression }: LintedRule,
  request: RuleRequest,
): Element | undefined {
  const result = compileExpression(expression).evaluate(request);
  if (!("error" in result)) return undefined;
  const { offset, length } = result.error;
  return nodes
    .map(({ node }) => node)
    .filter((node) => isElement(node, expression.types))
    .find(({ span }) => span.offset === offset && span.length === length);
}

function nameOf(element: Element, { types }: CheckedExpression): string {
  const header = headerOf(element.object, types);
  const { property } = element;
  const isFirst = property.kind === "integer" && property.value === 0n;
  return header !== undefined && isFirst
    ? `the header ${header}`
    : printExpression(element);
}

/**
 * The same expression in which a missing element counts as a value that equals nothing:
 * `a[0] == 'b'` becomes `len(a) > 0 && a[0] == 'b'`, and `a[0] != 'b'` becomes `len(a)
 * <= 0 || a[0] != 'b'`. Undefined if that cannot be written: the index is no literal,
 * or the element is in a branch.
 */
function withoutFailures({
  expression,
}: LintedRule): CheckedExpression | undefined {
  const { root, types } = expression;
  /** Elements that no comparison around them guards yet. */
  let unguarded: Element[] = [];
  let isWritable = true;
  const filled = (node: Node): Node => {
    const before = unguarded;
    unguarded = [];
    const inner = withChildren(node, filled);
    const read = isElement(node, types) ? [...unguarded, node] : unguarded;
    unguarded = before;
    if (read.length === 0) return inner;
    if (types.get(node)?.kind !== "boolean") {
      isWritable &&= node.kind !== "conditional" && node.kind !== "coalesce";
      unguarded.push(...read);
      return inner;
    }
    const isNegative =
      node.kind === "binary" && (node.negated || node.operator === "!=");
    const guards = read.map((element): Node => {
      const guard = lengthTest(element, isNegative ? "<=" : ">");
      isWritable &&= guard !== undefined;
      return guard ? treeOf(guard) : element;
    });
    const { span } = node;
    const operator = isNegative ? "||" : "&&";
    return { kind: "logical", operator, operands: [...guards, inner], span };
  };
  const made = filled(root);
  return isWritable ? madeExpression(made, expression) : undefined;
}

/** `list[index]`, which fails where the list is too short. */
type Element = NodeOf<"member">;

/** Whether a node is an element of a list. */
function isElement(
  node: Node,
  types: CheckedExpression["types"],
): node is Element {
  return node.kind === "member" && types.get(node.object)?.kind === "list";
}

/** Whether a list is long enough for an element, as a text; undefined for an index that is no literal. */
function lengthTest({ object, property: index }: Element, sign: ">" | "<=") {
  const isNegative = index.kind === "unary" && index.operator === "-";
  const literal = index.kind === "unary" ? index.operand : index;
  if (literal.kind !== "integer") return undefined;
  const { value } = literal;
  const least = isNegative && value > 0n ? value - 1n : value;
  return `len(${printExpression(object)}) ${sign} ${least}`;
}
