import {
  isInNetwork,
  parseNetwork,
  withBrackets,
  type IpNetwork,
  type Node,
  type CheckedExpression,
  parseIp,
} from "../../language";
import { coreOf } from "../../core/lower";
import { addressNumber, addressText } from "../../solver/integer-set";
import { quote } from "../../language/syntax/print-expression";
import { networkTest, type NetworkTest } from "../set/network-test";
import {
  replacement,
  type FindInRule,
  type LintResult,
  type RuleEdit,
} from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";

/** Whether every address of the narrow network lies in the wide network. */
export function isWithin(narrow: IpNetwork, wide: IpNetwork): boolean {
  return narrow.bits >= wide.bits && isInNetwork(narrow.address, wide);
}

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

/** Finds networks that are written with one of their addresses. */
export const findNetworkWithHostBits: FindInRule = ({ nodes }) =>
  nodes.flatMap(({ node }) => {
    const [literal] =
      node.kind === "call" && node.name === "cidr" ? node.args : [];
    if (literal?.kind !== "string") return [];
    const network = parseNetwork(literal.value);
    const address = parseIp(literal.value.split("/", 1).join());
    if (!network || !address || address.join() === network.address.join())
      return [];
    const text = `${addressText(addressNumber(network.address))}/${network.bits}`;
    const message = `${literal.value} is the network ${text}: bits behind the mask are ignored`;
    const edit = (meant: string) => [replacement(literal, quote(meant))];
    const plain = maskOfIpv4(literal.value);
    if (plain !== undefined)
      return {
        severity: "warning",
        message,
        fix: `write '${plain}'`,
        span: literal.span,
        edits: edit(plain),
      };
    const ignored = address.filter((byte, i) => byte !== network.address[i]);
    // If only one number is ignored, people often write the address of a host for its
    // network. Otherwise either the address or the mask is wrong.
    const isGuess = address.length === 4 && ignored.length > 1;
    return {
      severity: isGuess ? "warning" : "note",
      message,
      fix: `write '${text}', or '${addressText(addressNumber(address))}/${address.length * 8}' for the one address`,
      span: literal.span,
      // network-of-all offers the one address.
      edits: isLargeShare(network) ? undefined : edit(text),
      ...(isGuess && { removes: true }),
    };
  });

/**
 * The IPv4 network that is meant by an address in the form of IPv6 with the mask of
 * IPv4: `::ffff:203.0.113.0/24`. Undefined for any other text.
 */
export function maskOfIpv4(text: string): string | undefined {
  const [written = "", mask = ""] = text.split("/", 2);
  const address = parseNetwork(`${written}/128`)?.address;
  return text.includes(":") && address?.length === 4 && Number(mask) <= 32
    ? `${addressText(addressNumber(address))}/${mask}`
    : undefined;
}

/**
 * Networks with fewer bits are a large share of the Internet. Registries of IPv4
 * addresses got networks with 8 bits, those of IPv6 with 12 bits (IANA).
 */
const FEWEST_BITS = { 4: 8, 16: 12 } as const;

/** Whether a network has a large share of all addresses. */
export const isLargeShare = ({ address, bits }: IpNetwork) =>
  bits < FEWEST_BITS[address.length === 4 ? 4 : 16];

/** The form of an IPv4 network that is written as a part of IPv6; undefined for any other. */
export function plainNetwork(text: string): string | undefined {
  const network = parseNetwork(text);
  if (!text.includes(":") || network?.address.length !== 4) return undefined;
  return `${addressText(addressNumber(network.address))}/${network.bits}`;
}
