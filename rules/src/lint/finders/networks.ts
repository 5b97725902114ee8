import {
  withBrackets,
  type CheckedExpression,
  type Node,
} from "../../language";
import { coreOf } from "../../core/lower";
import { isWithin, networkTest, type NetworkTest } from "../set/network-test";
import { type FindInRule, type LintResult, type RuleEdit } from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";

/** Finds networks that another network of the same chain contains. */
export const findOverlappingNetworks: FindInRule = (rule, set) => {
  const within = rule.nodes.flatMap(({ node }) => overlapsIn(node, rule));
  const covering = coveringRule(rule, set);
  if (!covering) return within;
  const { name } = covering.rule;
  return [
    ...within,
    {
      message: `"${name}" behind it has the same action for a network that contains this one`,
      fix: "delete it",
      edits: [{ kind: "delete" }],
      others: [name],
    },
  ];
};

/**
 * The later rule that makes a rule for one network superfluous: it has a wider network,
 * and every enabled rule in between has the same action.
 */
export function coveringRule(
  { index, rule, network }: LintedRule,
  set: LintedSet,
): LintedRule | undefined {
  if (!network || rule.status === "disabled") return undefined;
  for (let place = index + 1; place < set.all.length; place++) {
    const next = set.all[place];
    if (!next || next.status === "disabled") continue;
    set.budget.spend();
    const isSame =
      next.action === rule.action && next.denyWith === rule.denyWith;
    if (!isSame) return undefined;
    const later = set.at(place);
    if (later?.network && isWithin(network, later.network)) return later;
  }
  return undefined;
}

/** Overlaps among the operands of `||`, and of `&&` where they are `not in`. */
function overlapsIn(node: Node, { expression }: LintedRule): LintResult[] {
  if (node.kind !== "logical") return [];
  const { operator, operands } = node;
  const canFail = operands.map((operand) => mayFail(operand, expression));
  const tests = operands.flatMap((operand, place) => {
    const test = networkTest(operand);
    return test?.negated === (operator === "&&") ? [{ ...test, place }] : [];
  });
  return tests.flatMap((test) => {
    const { place } = test;
    if (isSeam(operands, place, expression)) return [];
    const wide = tests.find(
      (other) =>
        other !== test &&
        isWithin(test.network, other.network) &&
        // Of two equal networks, the second one is superfluous.
        (other.place < place || !isWithin(other.network, test.network)) &&
        // Without the narrow test, an operand in between that may fail would be
        // evaluated more often.
        !canFail.slice(place, other.place).includes(true),
    );
    return wide
      ? [
          {
            ...overlap(test, wide),
            edits: withoutOperand(operands, place, expression.source),
            removes: true,
          },
        ]
      : [];
  });
}

/**
 * The edit that removes an operand with its operator; undefined if a comment stands
 * between it and the next operand.
 */
function withoutOperand(
  operands: readonly Node[],
  place: number,
  source: string,
): RuleEdit[] | undefined {
  const [before, self, after] = [-1, 0, 1].map((step) => {
    const node = operands[place + step];
    const span = node && withBrackets(node);
    return span && { start: span.offset, end: span.offset + span.length };
  });
  if (!self) return undefined;
  const [offset, end] = before
    ? [before.end, self.end]
    : [self.start, after?.start ?? self.end];
  const operator = before
    ? source.slice(before.end, self.start)
    : source.slice(self.end, after?.start);
  return /^\s*(?:\|\||&&|or|and)\s*$/.test(operator)
    ? [{ kind: "replace", offset, length: end - offset, text: "" }]
    : undefined;
}

/**
 * Whether an operand must not be removed: the operand before it may be nil, which is
 * allowed only at the end of a chain; or it separates two quantifiers that expr-lang
 * would join.
 */
function isSeam(
  operands: readonly Node[],
  place: number,
  { types }: CheckedExpression,
): boolean {
  const [before, after] = [operands[place - 1], operands[place + 1]];
  if (!before) return false;
  if (!after) return types.get(before)?.nullable === true;
  return before.kind === "quantifier" && after.kind === "quantifier";
}

function mayFail(operand: Node, expression: CheckedExpression): boolean {
  const core = coreOf({ ...expression, root: operand });
  return core.mayFail || core.mayBeNil;
}

function overlap(narrow: NetworkTest, wide: NetworkTest): LintResult {
  const isEqual = isWithin(wide.network, narrow.network);
  return {
    message: isEqual
      ? `${narrow.text} is in this chain twice`
      : `${narrow.text} lies in ${wide.text}, which is in this chain, too`,
    fix: `leave out the condition for ${narrow.text}`,
    span: narrow.node.span,
  };
}
