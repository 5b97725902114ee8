import { printExpression, type Node, type NodeOf } from "../../language";
import { all } from "../../solver/condition";
import { withText } from "../set/comparison";
import { replacement, type FindInRule, type FindInSet } from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { asComparison } from "../set/plain-comparison";
import { printOperand } from "../../language/syntax/print-expression";
import { shown } from "../set/prove";

/**
 * Finds chains in which `&&` applies to only one of several similar conditions: `guard
 * && part has a || part has b`, `kind a || kind b && guard`.
 */
export const findMixedOperators: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    if (node.kind !== "logical" || node.operator !== "||") return [];
    return guardInFront(node, rule, set) ?? guardBehind(node, rule, set) ?? [];
  });

type Chain = NodeOf<"logical">;

/** `guard && part has a || part has b` */
function guardInFront(chain: Chain, rule: LintedRule, set: LintedSet) {
  const [first, ...others] = chain.operands;
  const guard = andIn(first);
  const last = guard?.operands.at(-1);
  const [behind] = others;
  const shows = behind && comparedIn(behind, rule);
  const inGuard = last && comparedIn(last, rule);
  const areAlike =
    inGuard !== undefined &&
    others.every((one) => {
      const other = comparedIn(one, rule);
      return (
        other?.subject === inGuard.subject &&
        other.operator === inGuard.operator
      );
    });
  if (!areAlike || !guard || !last || !shows) return undefined;
  const alternatives: Node = { ...chain, operands: [last, ...others] };
  const meant: Node = {
    ...guard,
    operands: [...guard.operands.slice(0, -1), alternatives],
  };
  return shown(
    rule,
    set,
    replacement(chain, printExpression(meant), meant),
    `&& binds tighter than ||, so ${printOperand(behind)} is enough`,
    (around) => withText(around, shows, shows.text),
  );
}

/** `kind a || kind b && guard` */
function guardBehind(whole: Chain, rule: LintedRule, set: LintedSet) {
  const { operands } = whole;
  const before = operands.slice(0, -1);
  const [first] = before;
  const chain = andIn(operands.at(-1));
  const [last, guard] = chain?.operands ?? [];
  const kind = last && kindOf(last, rule);
  const areAlike =
    kind !== undefined && before.every((one) => kindOf(one, rule) === kind);
  if (!areAlike || !chain || !first || !last || !guard) return undefined;
  const alternatives: Node = { ...whole, operands: [...before, last] };
  const meant: Node = {
    ...chain,
    operands: [alternatives, ...chain.operands.slice(1)],
  };
  return shown(
    rule,
    set,
    replacement(whole, printExpression(meant), meant),
    `&& binds tighter than ||, so ${printOperand(first)} is enough`,
    undefined,
    all(),
  );
}

/** A chain of `&&` without brackets around it. */
const andIn = (node: Node | undefined) =>
  node?.kind === "logical" && node.operator === "&&" && !node.outer
    ? node
    : undefined;

const comparedIn = (node: Node, { comparisons }: LintedRule) =>
  comparisons.find((one) => one.node === node && !one.negated);

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
    : [];

/** Finds quantifiers within the condition of another quantifier. */
export const findNestedQuantifiers: FindInRule = ({ nodes }) => {
  const outermost = nodes.findLast(
    ({ node, around }) => node.kind === "quantifier" && around,
  )?.node;
  return outermost
    ? {
        message:
          "this is evaluated once for each value of the outer list, and fails with too many values",
        fix: "test the two lists one after the other: any(..., ...) && any(..., ...)",
        span: outermost.span,
      }
    : [];
};

/** Finds patterns that a plain comparison could replace. */
export const findPlainRegex: FindInRule = ({ nodes, expression: { types } }) =>
  nodes.flatMap(({ node }) => {
    const plain = asComparison(node, types);
    if (!plain) return [];
    const text = printExpression(plain);
    return {
      message: "this pattern is a plain comparison",
      fix: `write ${text}`,
      span: node.span,
      edits: [replacement(node, text)],
    };
  });
