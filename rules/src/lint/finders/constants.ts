import type { Node, NodeOf } from "../../language";
import { all } from "../../solver/condition";
import { replacement, type FindInRule, type LintResult } from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { headerOf } from "../set/read-headers";
import { shown, sourceOf } from "../set/shown";
import { isSingleValued } from "./missing-header";

/**
 * Finds parts of a condition that are true for every request, or false for every
 * request.
 */
export const findConstantCondition: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }): LintResult | readonly LintResult[] => {
    switch (node.kind) {
      case "order":
      case "binary":
        return ofConstants(node, rule, set) ?? ofCount(node, rule, set) ?? [];
      case "logical":
        return literalIn(node);
      default:
        return [];
    }
  });

type Comparison = NodeOf<"order" | "binary">;

const sidesOf = (node: Comparison): readonly Node[] =>
  node.kind === "order" ? node.operands : [node.left, node.right];

const isLiteral = ({ kind }: Node) =>
  kind === "string" || kind === "integer" || kind === "float";

function ofConstants(
  node: Comparison,
  { expression }: LintedRule,
  set: LintedSet,
) {
  const isConstant = sidesOf(node).every(isLiteral);
  if (!isConstant) return undefined;
  set.budget.spend();
  return {
    message: `${sourceOf(node, expression)} compares two literals, and no part of a request`,
    fix: "compare a part of the request, or delete it",
    span: node.span,
  };
}

/**
 * `true` in a chain of `||`, or `false` in a chain of `&&`: it decides the whole chain.
 */
function literalIn(node: NodeOf<"logical">) {
  const decides = node.operator === "||";
  const found = node.operands.find(
    (operand) => operand.kind === "boolean" && operand.value === decides,
  );
  return found
    ? {
        message: `with ${decides} in it, this is always ${decides}`,
        fix: `leave out ${node.operator} ${decides}`,
        span: found.span,
      }
    : [];
}

/** A length or count that is compared with a number below its minimum or above its maximum. */
function ofCount(node: Comparison, rule: LintedRule, set: LintedSet) {
  const [left, right, ...others] = sidesOf(node);
  if (!left || !right || others.length > 0) return undefined;
  const isSwapped = isNumber(left);
  const [count, number] = isSwapped ? [right, left] : [left, right];
  const least = valueOf(number);
  if (!isCount(count) || least === undefined) return undefined;
  const [written] = node.kind === "order" ? node.operators : [node.operator];
  const operator = isSwapped ? SWAPPED[written ?? ""] : written;
  const header = headerOfCount(count, rule);
  const isSingle = header !== undefined && isSingleValued(header) === true;
  const results = new Set(
    (isSingle ? [0n, 1n] : [0n, 1n, 2n]).map((one) =>
      HOLDS[operator ?? ""]?.(one, least),
    ),
  );
  if (results.size > 1 || results.has(undefined)) return undefined;
  const isAlways = results.has(true);
  const isAboveMost = least > 0n;
  // A list without a bound may be longer than any number above 0.
  if (isAboveMost && !isSingle) return undefined;
  // A rule may deny requests that no browser sends.
  if (isAboveMost && !isAlways && rule.rule.action === "deny") return undefined;
  const why = isAboveMost
    ? `a request has one ${header ?? ""} at most`
    : "no length and no number is below 0";
  const text = `${sourceOf(count, rule.expression)} ${isAlways === isAboveMost ? "== 0" : "> 0"}`;
  return shown(
    rule,
    set,
    replacement(node, text),
    `${why}, so ${sourceOf(node, rule.expression)} is ${isAlways ? "always" : "never"} true`,
    undefined,
    isSingle ? all() : undefined,
  );
}

function headerOfCount(count: Node, { expression }: LintedRule) {
  const list =
    count.kind === "call"
      ? count.args[0]
      : count.kind === "quantifier"
        ? count.list
        : undefined;
  const isOrEmpty =
    list?.kind === "coalesce" &&
    list.right.kind === "list" &&
    list.right.elements.length === 0;
  return headerOf(isOrEmpty ? list.left : list, expression.types);
}

const SWAPPED: Readonly<Record<string, string>> = {
  "<": ">",
  ">": "<",
  "<=": ">=",
  ">=": "<=",
  "==": "==",
  "!=": "!=",
};

const HOLDS: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

const isNumber = (node: Node) => valueOf(node) !== undefined;

function valueOf(node: Node): bigint | undefined {
  if (node.kind === "integer") return node.value;
  return node.kind === "unary" &&
    node.operator === "-" &&
    node.operand.kind === "integer"
    ? -node.operand.value
    : undefined;
}

const isCount = (node: Node) =>
  (node.kind === "call" && node.name === "len") ||
  (node.kind === "quantifier" && node.name === "count");
