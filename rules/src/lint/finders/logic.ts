import { printExpression, type Node, type NodeOf } from "../../language";
import { all } from "../../solver/condition";
import { withText } from "../set/comparison";
import {
  replacement,
  rewriting,
  type FindInRule,
  type FindInSet,
} from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { asComparison } from "../set/plain-comparison";
import { printOperand } from "../../language/syntax/print-expression";
import { shown } from "../set/prove";

/**
 * Finds chains in which `&&` applies to only one of several similar conditions: `guard
 * && part has a || part has b`, `kind a || kind b && guard`.
 */
export const findMixedOperators: FindInRule = (rule, set) =>
  rule.nodes.map(({ node }) =>
    node.kind === "logical" && node.operator === "||"
      ? (notOfOne(node, rule, set) ??
        guardOfOne(node, true, rule, set) ??
        guardOfOne(node, false, rule, set))
      : undefined,
  );

type Chain = NodeOf<"logical">;

/** `guard && part has a || part has b`, or from behind: `kind a || kind b && guard` */
function guardOfOne(
  chain: Chain,
  isInFront: boolean,
  rule: LintedRule,
  set: LintedSet,
) {
  const turned = <T>(list: readonly T[]) =>
    isInFront ? list : list.toReversed();
  const [first, ...others] = turned(chain.operands);
  const guard = andIn(first);
  const inner = turned(guard?.operands ?? []);
  const last = inner.at(-1);
  const kind = last && kindOf(last, rule);
  const areAlike = others.every(
    (one) =>
      kindOf(one, rule) === kind &&
      (!isInFront || operatorIn(one, rule) === operatorIn(last, rule)),
  );
  const alone = isInFront ? others[0] : others.at(-1);
  if (kind === undefined || !areAlike || !guard || !last || !alone)
    return undefined;
  if (printExpression(last) === printExpression(alone)) return undefined;
  const alternatives: Node = {
    ...chain,
    operands: turned([last, ...others]),
  };
  const meant: Node = {
    ...guard,
    operands: turned([...inner.slice(0, -1), alternatives]),
  };
  const shows = isInFront ? comparedIn(alone, rule) : undefined;
  return shown(
    rule,
    set,
    replacement(chain, printExpression(meant), meant),
    `&& binds tighter than ||, so ${printOperand(alone)} is enough`,
    shows && ((around) => withText(around, shows, shows.text)),
    shows ? undefined : all(),
  );
}

/** `!kind a || kind b` */
function notOfOne(chain: Chain, rule: LintedRule, set: LintedSet) {
  const [not, ...others] = chain.operands;
  if (not?.kind !== "unary" || not.operator === "-" || not.outer)
    return undefined;
  const kind = kindOf(not.operand, rule);
  if (kind === undefined || others.some((one) => kindOf(one, rule) !== kind))
    return undefined;
  const either: Node = { ...chain, operands: [not.operand, ...others] };
  return shown(
    rule,
    set,
    replacement(chain, `!(${printExpression(either)})`),
    `! belongs to ${printOperand(not.operand)} alone`,
    undefined,
    all(),
  );
}

const operatorIn = (node: Node | undefined, rule: LintedRule) =>
  node && comparedIn(node, rule)?.operator;

/** A chain of `&&` without brackets around it. */
const andIn = (node: Node | undefined) =>
  node?.kind === "logical" && node.operator === "&&" && !node.outer
    ? node
    : undefined;

function comparedIn(node: Node, rule: LintedRule) {
  const compared = rule.comparedAt(node);
  return compared?.negated ? undefined : compared;
}

/**
 * The part of the request that a condition tests. Two conditions of one kind describe
 * two kinds of clients.
 */
function kindOf(node: Node, rule: LintedRule): string | undefined {
  const name = rule.expression.types.get(node)?.name ?? "";
  const [, family] =
    /^(sdk\.platform\.is_|http\.user_agent\.is_)\w+$/.exec(name) ?? [];
  return family ?? comparedIn(node, rule)?.subject;
}

/** Finds rule sets in which every rule is disabled. */
export const findAllDisabled: FindInSet = ({ all }) =>
  all.length > 0 && all.every(({ status }) => status === "disabled")
    ? {
        at: 0,
        message: "every rule is disabled, so that every request gets through",
        fix: "enable a rule, or delete them all",
        request: { headers: {} },
      }
    : undefined;

/** Finds quantifiers within the condition of another quantifier. */
export const findNestedQuantifiers: FindInRule = ({ nodes }) => {
  const outermost = nodes.findLast(
    ({ node, around }) => node.kind === "quantifier" && around,
  )?.node;
  return (
    outermost && {
      message:
        "this is evaluated once for each value of the outer list, and fails with too many values",
      fix: "test the two lists one after the other: any(..., ...) && any(..., ...)",
      span: outermost.span,
    }
  );
};

/** Finds patterns that a plain comparison could replace. */
export const findPlainRegex: FindInRule = ({ nodes, expression: { types } }) =>
  nodes.map(({ node }) => {
    const plain = asComparison(node, types);
    const edit = plain && replacement(node, printExpression(plain));
    const message = "this pattern is a plain comparison";
    return edit && { message, ...rewriting(edit) };
  });
