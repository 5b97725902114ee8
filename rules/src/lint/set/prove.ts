import { type ConstantValue, type Core, nodesOf } from "../../core/core";
import { coreOf } from "../../core/lower";
import { keepingResults } from "../../keeping-results";
import { onceFor } from "../../once-for";
import {
  checkExpression,
  childrenOf,
  type CheckedExpression,
  type Node,
  type RuleRequest,
} from "../../language";
import { isBothBots } from "../../language/request/bot-flags";
import { partOfExpression } from "../../language/types/check-expression";
import {
  editedExpression,
  withNode,
  type TreeEdit,
} from "../../language/types/tree-edit";
import { compileReplaceable } from "../../eval/compile-expression";
import { all, any, matches, not, type Condition } from "../../solver/condition";
import { rewriting, type LintResult, type TreeReplacement } from "./lint";
import {
  EMPTY,
  type LintedRule,
  type LintedSet,
  type Visit,
} from "./linted-set";

/** An expression that lint itself writes, and that is correct. */
export function expressionOf(source: string): CheckedExpression {
  const checked = checkExpression(source);
  if (!checked.ok) throw new Error(`${source} is no expression.`);
  return checked.expression;
}

/** The condition that such an expression holds. */
export const holdsFor = keepingResults(1_000, (source) =>
  matches(expressionOf(source)),
);

/** Whether an expression is true for a request. */
type IsMatch = (request: RuleRequest) => boolean;

/**
 * Whether a rule matches a request when an edit is made. Undefined if the condition that
 * the edit is in cannot be evaluated by itself. The rest of the expression is compiled
 * once for all its edits, because checking a list of 3,000 networks again for each of
 * them takes minutes.
 */
export function ruleAfter(
  rule: LintedRule,
  edit: TreeEdit,
): IsMatch | undefined {
  const { evaluator, places } = replaceable(rule);
  const found = conditionAround(rule, edit);
  const place = found && places.get(found.node.span);
  const by =
    place && conditionAfter(rule, found.node, edit, place, found.around);
  const isMatch = by && evaluator(place, by);
  return isMatch && ((request) => isMatch(rule.asSeen(request)));
}

const replaceable = onceFor(({ expression }: LintedRule) => {
  const core = coreOf(expression);
  return {
    evaluator: compileReplaceable(core),
    // Of a comparison and its negation, which have one place, the outer one.
    places: new Map(nodesOf(core).map((each) => [each.span, each] as const)),
  };
});

/** The core of a comparison after an edit in it. */
function conditionAfter(
  { expression }: LintedRule,
  node: Node,
  edit: TreeEdit,
  place: Core,
  around: Node | undefined,
): Core | undefined {
  const inList = withListText(place, edit);
  if (inList) return inList;
  const edited = withNode(node, edit.node, edit.by);
  // Only within a loop has `#` a meaning.
  const { span } = node;
  const checked = partOfExpression(
    expression,
    around
      ? {
          kind: "quantifier",
          name: "any",
          list: around,
          condition: edited,
          span,
        }
      : edited,
  );
  const core = checked && coreOf(checked);
  if (!around) return core;
  return core?.kind === "some" ? core.condition : undefined;
}

/**
 * The core of `in` after an edit of one text of its list. It asks the list as it was, and
 * the two texts, because a list of thousands of texts is not compiled for each edit.
 */
function withListText(core: Core, edit: TreeEdit): Core | undefined {
  if (core.kind === "not") {
    const operand = withListText(core.operand, edit);
    return operand && { ...core, operand };
  }
  if (core.kind !== "in" || core.list.kind !== "list") return undefined;
  const { list } = core;
  const { node, by } = edit;
  const old = list.elements.find(({ span }) => span === node.span);
  if (old?.kind !== "constant" || by.kind !== "string") return undefined;
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
  const same = { span, isBoolean, mayBeNil, mayFail };
  const logical = (decides: boolean, ...operands: Core[]): Core => ({
    ...{ kind: "logical", decides, operands, ...same },
  });
  const isNotOld: Core = { kind: "not", operand: isIn(old.value), ...same };
  return logical(
    true,
    isIn(by.value),
    isOther ? logical(false, isNotOld, core) : core,
  );
}

/** The smallest condition of a rule that an edit is in. */
const conditionAround = (rule: LintedRule, { node }: TreeEdit) =>
  conditionsIn(rule).get(node);

/** For each node, the smallest condition that it is in. */
const conditionsIn = onceFor((rule: LintedRule) => {
  const { places } = replaceable(rule);
  const conditions = new Map<Node, Visit>();
  for (const visit of rule.nodes.toReversed()) {
    const { node } = visit;
    if (places.get(node.span)?.isBoolean) conditions.set(node, visit);
    const condition = conditions.get(node);
    if (condition)
      for (const child of childrenOf(node)) conditions.set(child, condition);
  }
  return conditions;
});

/** Whether it is proven that the condition which an edit is in keeps each result, whatever stands around it. */
export function keepsCondition(
  rule: LintedRule,
  edit: TreeEdit,
  set: LintedSet,
): boolean {
  const found = conditionAround(rule, edit);
  if (!found || found.around) return false;
  const part = { ...rule.expression, root: found.node };
  const after = editedExpression(part, [edit]);
  if (!after) return false;
  const is = (expression: CheckedExpression, to: boolean): Condition => ({
    ...{ kind: "evaluates", expression, to },
  });
  return [true, false].every((to) =>
    [[part, after] as const, [after, part] as const].every(([one, other]) =>
      set.isImpossible(all(is(one, to), not(is(other, to)))),
    ),
  );
}

/** Requests to try, made from a request that meets the rest of the rule. */
export type Variants = (around: RuleRequest) => readonly RuleRequest[];

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

/** Whether it is proven that a rule with an edit matches the same requests. */
export function keepsMatches(
  { expression }: LintedRule,
  edit: TreeEdit,
  set: LintedSet,
): boolean {
  // Making the edited expression takes long, too.
  if (set.isOver) return false;
  const edited = editedExpression(expression, [edit]);
  return edited !== undefined && matchSame(expression, edited, set);
}

/**
 * A request for which an edit changes the rule's result; undefined if none is found.
 * Variants of requests at hand are tried before a search.
 * @param condition a condition for a search; without it there is no search
 */
export function requestThatDiffers(
  rule: LintedRule,
  edit: TreeEdit,
  set: LintedSet,
  variants: Variants = (around) => [around],
  condition?: Condition,
): RuleRequest | undefined {
  const after = ruleAfter(rule, edit);
  if (!after) return undefined;
  const { expression, match } = rule;
  const atHand = match.request ? [EMPTY, match.request] : [EMPTY];
  const request = atHand
    .flatMap(variants)
    .find((each) => !isBothBots(each) && after(each) !== rule.isMatch(each));
  if (request || !condition) return request;
  const edited = editedExpression(expression, [edit]);
  if (!edited) return undefined;
  return set.findRequest(all(condition, differ(expression, edited))).request;
}

/**
 * A finding whose edit changes the rule's result for the request that shows the mistake;
 * undefined if no such request is found, or if the edited rule never matches.
 * @param condition a condition for a search; without it there is no search
 */
export function shown(
  rule: LintedRule,
  set: LintedSet,
  edit: TreeReplacement,
  message: string,
  variants?: Variants,
  condition?: Condition,
): (LintResult & { readonly request: RuleRequest }) | undefined {
  const request = requestThatDiffers(rule, edit, set, variants, condition);
  if (!request) return undefined;
  const after = editedExpression(rule.expression, [edit]);
  if (after && set.isImpossible(matches(after))) return undefined;
  return { ...rewriting(edit), ...seenIn(request, rule, message, SHOWN) };
}

/** The request of a finding, in a sentence that names no other. */
export const SHOWN = "the request shown";

/**
 * What a finding says, and that the rule matches the request which shows it, or does not.
 * @param it what the request is called in the sentence
 */
export const seenIn = (
  request: RuleRequest,
  rule: LintedRule,
  says: string,
  it = "it",
) => {
  const does = rule.isMatch(request) ? "matches" : "does not match";
  return { message: `${says}: this rule ${does} ${it}`, request };
};
