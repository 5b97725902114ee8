import type { Node } from "../expression";
import type { Found, Lint } from "./lint";
import type { LintedRule } from "./linted-rule";
import type { LintedSet } from "./linted-set";
import { isWithin, networkTest, type NetworkTest } from "./network-test";

/** Networks within others that stand beside them. */
export const overlappingNetworks: Lint = {
  code: "overlapping-networks",
  severity: "warning",
  doc: "A network lies within another one beside it, so it adds nothing.",
  detail:
    "The other one stands in the same condition, or makes up a later rule of the same action, with no rule of the other action in between.",
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
    const within = rule.nodes.flatMap(({ node }) => overlapsIn(node));
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

/** The later rule that makes a rule of one network superfluous: a wider network, and nothing but the same action up to it. */
export function coveringRule(
  { index, rule, expression }: LintedRule,
  { all, rules }: LintedSet,
): LintedRule | undefined {
  const narrow = networkTest(expression.root);
  if (!narrow || narrow.negated || rule.status === "disabled") return undefined;
  const other = all.findIndex(
    ({ status, action }, i) =>
      i > index && status === "enabled" && action !== rule.action,
  );
  return rules.find((later) => {
    const isNear = later.index > index && (other < 0 || later.index < other);
    if (!isNear || later.rule.status === "disabled") return false;
    const wide = networkTest(later.expression.root);
    return wide && !wide.negated && isWithin(narrow.network, wide.network);
  });
}

/** Among the operands of `||`; of `&&`, among those with `not in`. */
function overlapsIn(node: Node): Found[] {
  if (node.kind !== "logical") return [];
  const tests = node.operands
    .map(networkTest)
    .filter((test) => test?.negated === (node.operator === "&&"))
    .filter((test) => test !== undefined);
  return tests.flatMap((test, i) => {
    const wide = tests.find(
      (other, j) =>
        i !== j &&
        isWithin(test.network, other.network) &&
        // Of two equal ones, the second is too many.
        (j < i || !isWithin(other.network, test.network)),
    );
    return wide ? [overlap(test, wide)] : [];
  });
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
