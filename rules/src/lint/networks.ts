import {
  isInNetwork,
  parseNetwork,
  type IpNetwork,
  type Node,
  type CheckedExpression,
  parseIp,
} from "../language";
import { needsOf } from "../language/eval/evaluate-partly";
import { typeOf } from "../language/types/value-type";
import { networkTest, type NetworkTest } from "./network-test";
import type { LintResult, FindInRule } from "./lint";
import type { LintedRule, LintedSet } from "./linted-set";

/** Whether every address of one network lies in another. */
export function isWithin(narrow: IpNetwork, wide: IpNetwork): boolean {
  return narrow.bits >= wide.bits && isInNetwork(narrow.address, wide);
}

/** Finds networks that lie within another network beside them. */
export const findOverlappingNetworks: FindInRule = (rule, set) => {
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
};

/**
 * The later rule that makes a rule for one network superfluous: it names a
 * wider network, and every enabled rule in between decides the same.
 */
export function coveringRule(
  { index, rule, network }: LintedRule,
  { all, rules, budget }: LintedSet,
): LintedRule | undefined {
  if (!network || rule.status === "disabled") return undefined;
  budget.spend(all.length - index);
  const other = all.findIndex(
    ({ status, action, denyWith }, i) =>
      i > index &&
      status === "enabled" &&
      (action !== rule.action || denyWith !== rule.denyWith),
  );
  return rules.find((later) => {
    const isNear = later.index > index && (other < 0 || later.index < other);
    if (!isNear || later.rule.status === "disabled") return false;
    budget.spend();
    return later.network && isWithin(network, later.network);
  });
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
        // Without the narrow test, an operand in between that fails would be asked more often.
        !canFail.slice(place, other.place).includes(true),
    );
    return wide ? [overlap(test, wide)] : [];
  });
}

/**
 * Whether an operand must stay where it stands: behind one that may be nil,
 * which only the end of a chain may be, or between two quantifiers, which
 * expr-lang would join.
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

/** Whether an operand may fail or be nil, as far as its types show. */
function mayFail(operand: Node, { types }: CheckedExpression): boolean {
  return needsOf(operand, (node) => types.get(node) ?? typeOf("boolean"))
    .canFail;
}

function overlap(narrow: NetworkTest, wide: NetworkTest): LintResult {
  const isEqual = isWithin(wide.network, narrow.network);
  return {
    message: isEqual
      ? `${narrow.text} stands here already`
      : `${narrow.text} lies in ${wide.text}, which stands here, too`,
    fix: `leave out the condition for ${narrow.text}`,
    span: narrow.node.span,
  };
}

/** Finds networks that are written with an address inside them. */
export const findNetworkWithHostBits: FindInRule = ({ nodes }) =>
  nodes.flatMap(({ node }) => {
    const [literal] =
      node.kind === "call" && node.name === "cidr" ? node.args : [];
    if (literal?.kind !== "string") return [];
    const network = parseNetwork(literal.value);
    const address = parseIp(literal.value.split("/", 1).join());
    if (!network || !address || address.join() === network.address.join())
      return [];
    const text = `${addressText(network.address)}/${network.bits}`;
    return [
      {
        message: `${literal.value} is the network ${text}: bits behind the mask are ignored`,
        fix: `write '${text}', or '${addressText(address)}/${address.length * 8}' for the one address`,
        span: literal.span,
      },
    ];
  });

/** An address in its usual form. */
function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Buffer.from(bytes).toString("hex").match(/.{4}/g) ?? [];
  // The host of a URL is written in the shortest form.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
