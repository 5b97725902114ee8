import { type ConstantValue, type Core, nodesOf } from "../../core/core";
import { coreOf } from "../../core/lower";
import { keepingResults } from "../../keeping-results";
import { onceFor } from "../../once-for";
import {
  checkExpression,
  parseExpression,
  withBrackets,
  type CheckedExpression,
  type Node,
  type RuleRequest,
} from "../../language";
import { isBothBots } from "../../language/request/bot-flags";
import { applyEdits, type TextEdit } from "../../language/syntax/text-edit";
import {
  compileExpression,
  compileReplaceable,
} from "../../eval/compile-expression";
import { all, any, matches, not, type Condition } from "../../solver/condition";
import type { FoundRequest } from "../../solver/find-request";
import type { LintResult } from "./lint";
import { EMPTY, type LintedRule, type LintedSet } from "./linted-set";

/** The condition that an expression holds, which is correct and written here. */
export const holdsFor = keepingResults(1_000, (source): Condition => {
  const checked = checkExpression(source);
  if (!checked.ok) throw new Error(`${source} is no expression.`);
  return matches(checked.expression);
});

/** Expressions with fewer nodes are checked again for each claim. */
const LONG = 200;

/** Whether an expression is too long to be checked again for each claim about it. */
export const isLong = ({ nodes }: LintedRule) => nodes.length > LONG;

/**
 * A request for which an edit of a comparison changes the rule's result: a variant of a
 * request that is at hand, without a search and without checking the whole expression
 * again.
 */
export function requestAtHand(
  rule: LintedRule,
  node: Node,
  edit: TextEdit,
  variants: Variants,
): RuleRequest | undefined {
  const after = matchAfter(rule, node, edit);
  return (
    after && firstShown(rule, after, variants, [ofEmpty, () => rule.match])
  );
}

/** Whether an expression is true for a request. */
type IsMatch = (request: RuleRequest) => boolean;

const ofEmpty = (): FoundRequest => ({ answer: "found", request: EMPTY });

/** Of the variants of what is searched for, the first for which an edited rule has another result. */
function firstShown(
  rule: LintedRule,
  after: IsMatch,
  variants: Variants,
  searches: readonly (() => FoundRequest)[],
): RuleRequest | undefined {
  const isShown = (request: RuleRequest) =>
    !isBothBots(request) && after(request) !== rule.isMatch(request);
  for (const search of searches) {
    const found = search();
    const request =
      found.answer === "found" && variants(found.request).find(isShown);
    if (request) return request;
  }
  return undefined;
}

/**
 * Whether a rule matches a request when an edit of one of its comparisons is made.
 * Undefined if the edit cannot be evaluated by itself. The rest of the expression is
 * compiled once for all its edits, because checking a list of 3,000 networks again for
 * each of them takes minutes.
 */
function matchAfter(
  rule: LintedRule,
  node: Node,
  edit: TextEdit,
): IsMatch | undefined {
  const { evaluator, places, lists } = replaceable(rule);
  const place = places.get(node.span);
  const by = place && conditionAfter(rule, node, edit, place, lists.get(node));
  return by && evaluator(place, by);
}

const replaceable = onceFor(({ expression, nodes }: LintedRule) => {
  const core = coreOf(expression);
  return {
    evaluator: compileReplaceable(core),
    // Of a comparison and its negation, which have one place, the outer one.
    places: new Map(nodesOf(core).map((each) => [each.span, each] as const)),
    lists: new Map(nodes.map(({ node, around }) => [node, around] as const)),
  };
});

/** The core of a comparison after an edit in it. */
function conditionAfter(
  { expression }: LintedRule,
  node: Node,
  edit: TextEdit,
  place: Core,
  around: Node | undefined,
): Core | undefined {
  const inList = withListText(place, edit);
  if (inList) return inList;
  const text = editedNode(expression, node, edit);
  // Only within a loop has `#` a meaning.
  const checked = checkExpression(
    around ? `any(${sourceOf(around, expression)}, ${text}\n)` : text,
  );
  const core = checked.ok ? coreOf(checked.expression) : undefined;
  if (!around) return core;
  return core?.kind === "some" ? core.condition : undefined;
}

/** The source of a node after an edit in it. */
function editedNode(
  { source }: CheckedExpression,
  { span: { offset, length } }: Node,
  edit: TextEdit,
): string {
  return applyEdits(source.slice(offset, offset + length), [
    { ...edit, offset: edit.offset - offset },
  ]);
}

/**
 * The core of `in` after an edit of one text of its list. It asks the list as it was, and
 * the two texts, because a list of thousands of texts is not compiled for each edit.
 */
function withListText(core: Core, edit: TextEdit): Core | undefined {
  if (core.kind === "not") {
    const operand = withListText(core.operand, edit);
    return operand && { ...core, operand };
  }
  if (core.kind !== "in" || core.list.kind !== "list") return undefined;
  const { list } = core;
  const old = list.elements.find(({ span }) => span.offset === edit.offset);
  const parsed = parseExpression(edit.text);
  if (old?.kind !== "constant" || !parsed.ok) return undefined;
  const { root } = parsed.expression;
  if (root.kind !== "string") return undefined;
  const isIn = (...values: readonly ConstantValue[]): Core => ({
    ...core,
    list: {
      ...list,
      elements: values.map((value) => ({ ...old, value })),
    },
  });
  const isOther = list.elements.every(
    (each) =>
      each === old || each.kind !== "constant" || each.value !== old.value,
  );
  const { span, isBoolean, mayBeNil, mayFail } = core;
  const logical = (decides: boolean, ...operands: Core[]): Core => ({
    ...{ kind: "logical", decides, operands },
    ...{ span, isBoolean, mayBeNil, mayFail },
  });
  const isNotOld: Core = {
    ...{ kind: "not", operand: isIn(old.value) },
    ...{ span, isBoolean, mayBeNil, mayFail },
  };
  return logical(
    true,
    isIn(root.value),
    isOther ? logical(false, isNotOld, core) : core,
  );
}

/** The smallest condition of a rule that an edit is in. Children are before their parents. */
function conditionAround(rule: LintedRule, edit: TextEdit) {
  const { places } = replaceable(rule);
  return rule.nodes.find(
    ({ node: { span } }) =>
      span.offset <= edit.offset &&
      edit.offset + edit.length <= span.offset + span.length &&
      places.get(span)?.isBoolean === true,
  );
}

/** The result of a rule after an edit, if it is one of a comparison that can be evaluated by itself. */
export function ruleAfter(
  rule: LintedRule,
  edit: TextEdit,
): IsMatch | undefined {
  const found = conditionAround(rule, edit);
  return found && matchAfter(rule, found.node, edit);
}

/** Whether it is proven that the condition which an edit is in keeps each result, whatever stands around it. */
export function keepsCondition(
  rule: LintedRule,
  edit: TextEdit,
  set: LintedSet,
): boolean {
  const found = conditionAround(rule, edit);
  if (!found || found.around) return false;
  const checked = checkExpression(
    editedNode(rule.expression, found.node, edit),
  );
  if (!checked.ok) return false;
  const before = { ...rule.expression, root: found.node };
  const is = (expression: CheckedExpression, to: boolean): Condition => ({
    ...{ kind: "evaluates", expression, to },
  });
  return [true, false].every((to) =>
    [
      [before, checked.expression] as const,
      [checked.expression, before] as const,
    ].every(([one, other]) =>
      set.isImpossible(all(is(one, to), not(is(other, to)))),
    ),
  );
}

/** Requests to try, made from a request that meets the rest of the rule. */
export type Variants = (around: RuleRequest) => readonly RuleRequest[];

/** The source text of a node with its brackets, which can be an operand of another node. */
export const sourceOf = (node: Node, { source }: CheckedExpression) => {
  const { offset, length } = withBrackets(node);
  return source.slice(offset, offset + length);
};

/** Holds for the requests that one of two expressions matches, and the other does not. */
const differ = (one: CheckedExpression, other: CheckedExpression) =>
  any(
    all(matches(one), not(matches(other))),
    all(matches(other), not(matches(one))),
  );

/** Whether it is proven that two expressions match the same requests. */
export const matchSame = (
  one: CheckedExpression,
  other: CheckedExpression,
  set: LintedSet,
): boolean => set.isImpossible(differ(one, other));

/**
 * A request for which the corrected expression has another result; undefined if none is
 * found. Both expressions are evaluated on the request.
 * @param condition a condition for a search; without it there is no search
 */
export function requestThatDiffers(
  rule: LintedRule,
  corrected: string,
  set: LintedSet,
  variants: Variants = (around) => [around],
  condition?: Condition,
): RuleRequest | undefined {
  const checked = checkExpression(corrected);
  if (!checked.ok) return undefined;
  const { expression } = checked;
  const compiled = compileExpression(expression);
  const after = (request: RuleRequest) => {
    const result = compiled.evaluate(request);
    return "value" in result && result.value;
  };
  const request = firstShown(rule, after, variants, [
    ofEmpty,
    () => rule.match,
    () => set.findRequest(matches(expression)),
  ]);
  if (request) return request;
  if (!condition) return undefined;
  const found = set.findRequest(
    all(condition, differ(rule.expression, expression)),
  );
  return found.answer === "found" ? found.request : undefined;
}

/**
 * A finding whose edit changes the rule's result for the request that shows the mistake;
 * undefined if no such request is found.
 * @param condition a condition for a search; without it there is no search
 */
export function shown(
  rule: LintedRule,
  set: LintedSet,
  edit: TextEdit,
  message: string,
  variants?: Variants,
  condition?: Condition,
): (LintResult & { readonly request: RuleRequest }) | undefined {
  const corrected = applyEdits(rule.expression.source, [edit]);
  const request = requestThatDiffers(rule, corrected, set, variants, condition);
  if (!request) return undefined;
  const { offset, length, text } = edit;
  return {
    message: `${message}: this rule ${does(rule, request)} it`,
    fix: `write ${text}`,
    edits: [{ kind: "replace", ...edit }],
    span: { offset, length },
    request,
  };
}

/** What a rule does with a request that shows a mistake. */
export const does = (rule: LintedRule, request: RuleRequest) =>
  rule.isMatch(request) ? "matches" : "does not match";
