import { lintRules, type Rule } from "@devid/rules";
import { expect, it } from "vitest";
import {
  parseExpression,
  printExpression,
  withChildren,
  type Node,
} from "../../../rules/src/language";
import { readBlocks } from "./blocks/read-blocks";
import { rulesOf } from "./rules";

/** The same condition in another spelling; undefined for a node that has none. */
type Respelling = (node: Node) => Node | undefined;

const span = { offset: 0, length: 0 };
const text = (value: string): Node => ({ kind: "string", value, span });
const not = (operand: Node): Node => ({
  kind: "unary",
  operator: "!",
  operand,
  span,
});

/** A comparison with a literal text by one of some operators. */
function compared(node: Node, ...operators: readonly string[]) {
  if (node.kind !== "binary" || !operators.includes(node.operator))
    return undefined;
  const { right } = node;
  return right.kind === "string" ? { ...node, right } : undefined;
}

const escaped = (value: string) => value.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** A comparison as a match with a pattern. */
const asPattern =
  (...operators: readonly string[]) =>
  (inner: (pattern: string) => string): Respelling =>
  (node) => {
    const found = compared(node, ...operators);
    if (!found) return undefined;
    const { operator, right } = found;
    const isStart = operator === "startsWith" || operator === "==";
    const isEnd = operator === "endsWith" || operator === "==";
    const pattern = `${isStart ? "^" : ""}${inner(escaped(right.value))}${isEnd ? "$" : ""}`;
    return { ...found, operator: "matches", right: text(pattern) };
  };

/** A loop over a header in another form. */
const loop =
  (respelt: (any: Extract<Node, { kind: "quantifier" }>) => Node): Respelling =>
  (node) =>
    node.kind === "quantifier" &&
    node.name === "any" &&
    node.list.kind === "member"
      ? respelt(node)
      : undefined;

/** Ways to write a rule in another form. */
const RESPELLINGS: Readonly<Record<string, Respelling>> = {
  "operands turned round": (node) => {
    const found = compared(node, "==", "!=");
    return found && { ...found, left: found.right, right: found.left };
  },
  "in a list": (node) => {
    const found = compared(node, "==");
    if (!found) return undefined;
    const other = found.right.value.startsWith("http")
      ? "https://ok.example"
      : "other";
    const elements = [found.right, text(other)];
    const right: Node = { kind: "list", elements, span };
    return { ...found, operator: "in", right };
  },
  "as a pattern": asPattern(
    "contains",
    "startsWith",
    "endsWith",
    "==",
  )((all) => all),
  "as an alternative": asPattern("contains")((all) => `(${all}|qqzz)`),
  "negated twice": (node) =>
    node.kind === "binary" && !node.negated && node.operator === "contains"
      ? not({ ...node, negated: true })
      : undefined,
  "with a list in place of a missing header": loop((node) => {
    const right: Node = { kind: "list", elements: [], span };
    const list: Node = { kind: "coalesce", left: node.list, right, span };
    return { ...node, list };
  }),
  "as !none()": loop((node) => not({ ...node, name: "none" })),
};

/**
 * How many of the found mistakes a form hides at most; the others hide none. A part of a
 * version is asked as a text only, and a browser beside a system.
 */
const HIDES: Readonly<Record<string, number>> = { "as an alternative": 2 };

const MISTAKES = ["mistakes", "later", "firewall", "thread", "issue"]
  .concat("fresh", "last", "public")
  .flatMap((name) =>
    readBlocks(name === "mistakes" ? name : `${name}-mistakes`),
  );

const codesOf = (rules: readonly Rule[]) =>
  lintRules(rules).map(({ code }) => code);

const isAbout = (codes: readonly string[]) => (code: string) =>
  codes.includes(code);

/** The codes of findings about a text or a missing value. */
const OF_VALUES = [
  ...["never-sent", "matches-others", "pattern-typo", "version-order"],
  ...["missing-header", "header-name"],
];
/** A condition with a text that no client sends may be constant. */
const OF_CONSTANTS = ["constant-condition", "never-matches"];

function respell(rule: Rule, by: Respelling): Rule {
  const parsed = parseExpression(rule.expression);
  if (!parsed.ok) return rule;
  let isChanged = false;
  const each = (node: Node): Node => {
    const other = by(node);
    isChanged ||= other !== undefined;
    return other ?? withChildren(node, each);
  };
  const root = each(parsed.expression.root);
  return isChanged ? { ...rule, expression: printExpression(root) } : rule;
}

it.each(Object.entries(RESPELLINGS))(
  "a mistake that is found is found %s, too",
  (what, by) => {
    const hides = HIDES[what] ?? 0;
    let tried = 0;
    const hidden = MISTAKES.filter(({ codes, rules }) => {
      const before = rulesOf(...rules);
      const after = before.map((rule) => respell(rule, by));
      const isOfValues = codes.some(isAbout(OF_VALUES));
      const isSame = after.every((rule, i) => rule === before[i]);
      if (!isOfValues || isSame || !codesOf(before).some(isAbout(codes)))
        return false;
      tried++;
      return !codesOf(after).some(
        isAbout([...codes, ...OF_VALUES, ...OF_CONSTANTS]),
      );
    });
    expect(tried).toBeGreaterThan(50);
    if (hidden.length > hides)
      expect(hidden.map(({ what }) => what)).toEqual([]);
  },
  60_000,
);
