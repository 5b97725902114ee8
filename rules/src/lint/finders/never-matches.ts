import {
  checkExpression,
  printExpression,
  type Node,
  type RuleRequest,
} from "../../language";
import { quote } from "../../language/syntax/print-expression";
import { applyEdits, type TextEdit } from "../../language/syntax/text-edit";
import { all, matches, not } from "../../solver/condition";
import { type FindInRule } from "../set/lint";
import { type LintedRule, type LintedSet } from "../set/linted-set";

/** Finds conditions that no request meets. */
export const findNeverMatches: FindInRule = (rule, set) => {
  if (rule.match.answer !== "none") return [];
  const { root } = rule.expression;
  if (root.kind === "boolean")
    return {
      severity: "note",
      message: "no request can match this",
      fix: "write its condition, or delete the rule",
    };
  const why = contradiction(rule, set);
  const request = why?.edit && matchedOnce(rule, why.edit, set);
  return {
    message: `no request can match this${why ? `: ${why.message}` : ""}`,
    fix: why?.edit
      ? `delete the rule, or write ${why.edit.text}`
      : "correct it, or delete the rule",
    edits: [why?.edit ? { kind: "replace", ...why.edit } : { kind: "delete" }],
    request,
  };
};

/** A request that a rule matches once it is edited. */
function matchedOnce(
  { rule }: LintedRule,
  edit: TextEdit,
  set: LintedSet,
): RuleRequest | undefined {
  const checked = checkExpression(applyEdits(rule.expression, [edit]));
  const found = checked.ok && set.findRequest(matches(checked.expression));
  return found && found.answer === "found" ? found.request : undefined;
}

/** In chains of more operands, pairs are not compared. */
const MAX_OPERANDS = 12;

/** Which part of a condition is never true, or which two are never true together, and what is probably meant. */
function contradiction(
  rule: LintedRule,
  set: LintedSet,
): { readonly message: string; readonly edit?: TextEdit } | undefined {
  const { root, source } = rule.expression;
  if (root.kind !== "logical" || root.operator !== "&&")
    return nearestNumber(rule, set);
  const parts = root.operands.slice(0, MAX_OPERANDS).flatMap((node) => {
    const { offset, length } = node.span;
    const text = source.slice(offset, offset + length);
    const checked = checkExpression(text);
    return checked.ok ? [{ node, text, expression: checked.expression }] : [];
  });
  for (const { expression } of parts)
    if (set.isImpossible(() => matches(expression)))
      return { message: `${printExpression(expression.root)} is never true` };
  for (const [i, one] of parts.entries())
    for (const other of parts.slice(0, i)) {
      const both = () =>
        all(matches(other.expression), matches(one.expression));
      if (!set.isImpossible(both)) continue;
      const message = `${printExpression(other.node)} and ${printExpression(one.node)} are never true together`;
      const isWhole = root.operands.length === 2;
      const text =
        inOneList(rule, other.node, one.node) ?? `${other.text} || ${one.text}`;
      const place = isWhole ? root.span : spanOver(other.node, one.node);
      const isBeside =
        root.operands.indexOf(one.node) - root.operands.indexOf(other.node) ===
        1;
      const edit = {
        ...place,
        text: isWhole || !text.includes(" || ") ? text : `(${text})`,
      };
      return isBeside && isSometimes(rule, edit, set)
        ? { message, edit }
        : { message };
    }
  return undefined;
}

/** The largest difference between a number and the numbers that are tried instead. */
const STEPS = [1n, -1n, 2n, -2n];

/** The nearest number that makes a condition true for some requests, in place of the condition's only number. */
function nearestNumber(
  rule: LintedRule,
  set: LintedSet,
): { readonly message: string; readonly edit: TextEdit } | undefined {
  const numbers = rule.nodes.flatMap(({ node }) =>
    node.kind === "integer" ? [{ span: node.span, value: node.value }] : [],
  );
  const [number, ...others] = numbers;
  if (!number || others.length > 0) return undefined;
  const negative = rule.nodes.find(
    ({ node }) =>
      node.kind === "unary" &&
      node.operator === "-" &&
      node.operand.kind === "integer",
  )?.node;
  const value = negative ? -number.value : number.value;
  for (const step of STEPS) {
    const { offset, length } = (negative ?? number).span;
    const edit = { offset, length, text: String(value + step) };
    if (isSometimes(rule, edit, set))
      return {
        message: `${printExpression(rule.expression.root)} is never true; with ${edit.text} it is true of some requests`,
        edit,
      };
  }
  return undefined;
}

/** One comparison with both texts, in place of two comparisons of the same subject. */
function inOneList(
  { comparisons }: LintedRule,
  ...nodes: readonly Node[]
): string | undefined {
  const [first, second] = nodes.map((node) =>
    comparisons.find(
      (one) => one.node === node && one.operator === "==" && !one.negated,
    ),
  );
  return first && second && first.subject === second.subject
    ? `${first.subject} in [${quote(first.text)}, ${quote(second.text)}]`
    : undefined;
}

function spanOver({ span: from }: Node, { span: to }: Node) {
  const { offset } = from;
  return { offset, length: to.offset + to.length - offset };
}

/** Whether an edited rule matches some requests and, as is proven, not all of them. */
function isSometimes(
  { rule }: LintedRule,
  edit: TextEdit,
  set: LintedSet,
): boolean {
  const checked = checkExpression(applyEdits(rule.expression, [edit]));
  if (!checked.ok) return false;
  const { expression } = checked;
  return [matches(expression), not(matches(expression))].every(
    (condition) => set.findRequest(condition).answer === "found",
  );
}
