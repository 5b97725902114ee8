import type { CheckedExpression, Node } from "../language";
import { needsOf } from "../language/eval/evaluate-partly";
import { typeOf } from "../language/types/value-type";
import type { Found, Lint } from "./lint";
import type { LintedRule, LintedSet } from "./linted-set";
import { isWithin, networkTest, type NetworkTest } from "./network-test";

/** Networks within others that stand beside them. */
export const overlappingNetworks: Lint = {
  code: "overlapping-networks",
  severity: "warning",
  doc: "A network lies within another one beside it, so it adds nothing.",
  detail:
    "The other one stands in the same condition, with nothing that can fail between a narrow one and a wide one behind it; or it makes up a later rule of the same action, with no rule that decides otherwise in between.",
  example: {
    found: [
      {
        name: "office",
        expression:
          "http.request.ip in cidr('10.0.0.0/8') || http.request.ip in cidr('10.1.0.0/16')",
        action: "deny",
      },
    ],
    fixed: [
      {
        name: "office",
        expression:
          "http.request.ip in cidr('10.0.0.0/8') || http.request.ip in cidr('192.168.0.0/16')",
        action: "deny",
      },
    ],
  },
  unless: ["unreachable", "duplicate", "shadowed"],
  of: "rule",
  find: (rule, set) => {
    const within = rule.nodes.flatMap(({ node }) => overlapsIn(node, rule));
    const covering = coveringRule(rule, set);
    if (!covering) return within;
    const { name } = covering.rule;
    return [
      ...within,
      {
        message: `"${name}" behind it has the same action for a network that holds this one`,
        fix: "delete it",
        others: [name],
      },
    ];
  },
};

/** The later rule that makes a rule of one network superfluous: a wider network, and nothing but the same decision up to it. */
export function coveringRule(
  { index, rule, expression }: LintedRule,
  { all, rules }: LintedSet,
): LintedRule | undefined {
  const narrow = networkTest(expression.root);
  if (!narrow || narrow.negated || rule.status === "disabled") return undefined;
  const other = all.findIndex(
    ({ status, action, denyWith }, i) =>
      i > index &&
      status === "enabled" &&
      (action !== rule.action || denyWith !== rule.denyWith),
  );
  return rules.find((later) => {
    const isNear = later.index > index && (other < 0 || later.index < other);
    if (!isNear || later.rule.status === "disabled") return false;
    const wide = networkTest(later.expression.root);
    return wide && !wide.negated && isWithin(narrow.network, wide.network);
  });
}

/** Among the operands of `||`; of `&&`, among those with `not in`. */
function overlapsIn(node: Node, { expression }: LintedRule): Found[] {
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
        // Of two equal ones, the second is too many.
        (other.place < place || !isWithin(other.network, test.network)) &&
        // What fails before the wider one is asked would no longer be kept from it.
        !canFail.slice(place, other.place).includes(true),
    );
    return wide ? [overlap(test, wide)] : [];
  });
}

/**
 * Whether an operand matters by standing where it does: behind one that may be
 * nil, which only the end of a chain takes, or between two quantifiers, which
 * expr-lang would run together.
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

/** Whether an operand may fail or be nil, as far as that can be seen. */
function mayFail(operand: Node, { types }: CheckedExpression): boolean {
  return needsOf(operand, (node) => types.get(node) ?? typeOf("boolean"))
    .canFail;
}

function overlap(narrow: NetworkTest, wide: NetworkTest): Found {
  const isEqual = isWithin(wide.network, narrow.network);
  return {
    message: isEqual
      ? `${narrow.text} stands here already`
      : `${narrow.text} lies in ${wide.text}, which stands here, too`,
    fix: `leave out the condition for ${narrow.text}`,
    span: narrow.node.span,
  };
}
