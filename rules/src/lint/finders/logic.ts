import {
  parseNetwork,
  withBrackets,
  type Node,
  type NodeOf,
} from "../../language";
import { toolNamed } from "../../language/request/known-user-agents";
import { addressRanges } from "../../solver/integer-set";
import { realisticAddress } from "../../solver/realistic-address";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import { canonicalText, quote } from "../../language/syntax/print-expression";
import { all } from "../../solver/condition";
import { withText, type TextComparison } from "../set/comparison";
import { replacement, type FindInRule, type FindInSet } from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { headerOf, headerOrElse } from "../set/read-headers";
import { shown, sourceOf } from "../set/shown";
import { isSingleValued } from "./missing-header";

/** Finds reads of a second value of a header that has only one. */
export const findSecondValue: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    if (node.kind !== "member") return [];
    const header = headerOf(node.object, rule.expression.types);
    const { property } = node;
    const isLater =
      property.kind === "integer"
        ? property.value > 0n
        : property.kind === "unary" &&
          property.operand.kind === "integer" &&
          property.operator === "-" &&
          property.operand.value > 1n;
    if (header === undefined || !isSingleValued(header) || !isLater) return [];
    const message = `a request has one ${header} at most, at index 0`;
    return shown(rule, set, replacement(property, "0"), message) ?? [];
  });

/** Finds two conditions, joined by `&&`, that require two values of a header with one value, or two tools in a user agent. */
export const findTwoValues: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    if (node.kind !== "logical" || node.operator !== "&&") return [];
    const asked = new Map<string, readonly string[]>();
    const isSecond = ({ what, texts }: Asked) => {
      const before = asked.get(what);
      if (before?.every((text) => !texts.includes(text))) return true;
      asked.set(what, texts);
      return false;
    };
    const of = node.operands.map((operand) => askedBy(operand, rule));
    const second = of.find((one) => one !== undefined && isSecond(one));
    const first = of.find((one) => one?.what === second?.what);
    if (!second || !first) return [];
    const text = `(${[first, second].map((one) => sourceOf(one.node, rule.expression)).join(" || ")})`;
    const rest = node.operands
      .filter((operand) => operand !== first.node && operand !== second.node)
      .map((operand) => sourceOf(operand, rule.expression));
    const { part, shows } = first;
    return (
      shown(
        rule,
        set,
        replacement(node, [text, ...rest].join(" && ")),
        `a request has one ${first.what} at most, such as ${quote(shows)}`,
        (around) => withText(around, part, shows),
      ) ?? []
    );
  });

/** The texts that a condition allows for a header with one value, or the tool of a user agent. */
interface Asked {
  /** What a request has at most one of. */
  readonly what: string;
  readonly texts: readonly string[];
  readonly part: TextComparison;
  /** A value that has one of the texts. */
  readonly shows: string;
  readonly node: Node;
}

function askedBy(
  node: Node,
  { comparisons, expression: { types } }: LintedRule,
): Asked | undefined {
  const isAny = node.kind === "quantifier" && node.name === "any";
  const part = comparisons.find(
    (other) => other.node === (isAny ? node.condition : node),
  );
  if (!part || part.negated) return undefined;
  if (isAny && headerOrElse(node.list, types) === undefined) return undefined;
  const { operator, text, list } = part;
  const tool = USER_AGENT_PARTS.includes(part.part)
    ? toolNamed(text)
    : undefined;
  if (tool && (operator === "contains" || operator === "startsWith")) {
    const { name, userAgent } = tool;
    return {
      what: "tool in its user agent",
      texts: [name],
      part,
      shows: userAgent,
      node,
    };
  }
  const isWhole = operator === "==" || operator === "in";
  return isWhole && !part.field && isSingleValued(part.part) === true
    ? { what: part.part, texts: list, part, shows: text, node }
    : undefined;
}

/** Longer chains of `||` are not checked. */
const MAX_EXCLUSIONS = 20;

/** The texts that an operand of `||` excludes. */
interface Exclusion {
  readonly of: string;
  readonly texts: readonly string[];
  readonly operator: TextComparison["operator"];
}

function exclusionOf(
  node: Node,
  { comparisons, expression }: LintedRule,
): Exclusion | undefined {
  if (node.kind === "quantifier") {
    const { name, list, condition } = node;
    const header = headerOrElse(list, expression.types);
    const one = comparisons.find((other) => other.node === condition);
    const isSingle = header !== undefined && isSingleValued(header);
    return name === "none" && isSingle && one && !one.negated && isSought(one)
      ? { of: canonicalText(list), texts: one.list, operator: one.operator }
      : undefined;
  }
  const isNot = node.kind === "unary" && node.operator === "!";
  const compared = isNot ? node.operand : node;
  const one = comparisons.find((other) => other.node === compared);
  return one && one.negated !== isNot && isSought(one)
    ? { of: one.subject, texts: one.list, operator: one.operator }
    : undefined;
}

const isSought = ({ operator }: { readonly operator: string }) =>
  ["==", "in", "contains", "startsWith", "endsWith"].includes(operator);

/** Finds `||` between conditions that exclude different texts, one of which always holds. */
export const findOrOfExclusions: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    if (node.kind !== "logical" || node.operator !== "||") return [];
    const [operand, ...rest] = node.operands;
    const first = operand && exclusionOf(operand, rule);
    if (!first || rest.length > MAX_EXCLUSIONS) return [];
    const isOfOne = rest.every((one) => {
      const other = exclusionOf(one, rule);
      return (
        other?.of === first.of &&
        other.operator === first.operator &&
        !other.texts.some((text) => first.texts.includes(text))
      );
    });
    if (!isOfOne) return [];
    const text = node.operands
      .map((one) => sourceOf(one, rule.expression))
      .join(" && ");
    const one = rule.comparisons.find((other) => first.texts === other.list);
    const [excluded = ""] = first.texts;
    const network =
      one?.field?.type === "ip" ? parseNetwork(excluded) : undefined;
    const address = network && realisticAddress(addressRanges(network));
    const shows = address ?? excluded;
    const message = address
      ? `${shows} lies in one of these networks, and not in all of them`
      : first.operator === "==" || first.operator === "in"
        ? `every value differs from one of the two, and ${quote(shows)} from the other one`
        : `a value with ${quote(shows)} may lack the other text`;
    const found =
      one &&
      shown(rule, set, replacement(node, text), message, (around) =>
        withText(around, one, shows),
      );
    return found ? [found] : [];
  });

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
function guardInFront(
  { operands: [first, ...others], span }: Chain,
  rule: LintedRule,
  set: LintedSet,
) {
  const last = andIn(first)?.operands.at(-1);
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
  if (!areAlike || !last || !shows) return undefined;
  const { offset, length } = span;
  const { source } = rule.expression;
  const start = withBrackets(last).offset;
  const text = `${source.slice(offset, start)}(${source.slice(start, offset + length)})`;
  return shown(
    rule,
    set,
    { offset, length, text },
    `&& binds tighter than ||, so ${sourceOf(behind, rule.expression)} is enough`,
    (around) => withText(around, shows, shows.text),
  );
}

/** `kind a || kind b && guard` */
function guardBehind(
  { operands, span: { offset, length } }: Chain,
  rule: LintedRule,
  set: LintedSet,
) {
  const before = operands.slice(0, -1);
  const [first] = before;
  const chain = andIn(operands.at(-1));
  const [last, guard] = chain?.operands ?? [];
  const kind = last && kindOf(last, rule);
  const areAlike =
    kind !== undefined && before.every((one) => kindOf(one, rule) === kind);
  if (!areAlike || !first || !last || !guard) return undefined;
  const { source } = rule.expression;
  const place = withBrackets(last);
  const end = place.offset + place.length;
  const text = `(${source.slice(offset, end)})${source.slice(end, offset + length)}`;
  return shown(
    rule,
    set,
    { offset, length, text },
    `&& binds tighter than ||, so ${sourceOf(first, rule.expression)} is enough`,
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
