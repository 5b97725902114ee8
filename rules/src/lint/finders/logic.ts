import {
  printExpression,
  type CheckedExpression,
  type Node,
  type NodeOf,
  type RuleRequest,
} from "../../language";
import { knownHeader } from "../../language/tables/headers";
import { canonicalText, quote } from "../../language/syntax/print-expression";
import { applyEdits, type TextEdit } from "../../language/syntax/text-edit";
import { plainTexts } from "../../solver/realistic-texts";
import { requestThatDiffers } from "../set/request-that-differs";
import { misspeltHeader } from "./known-headers";
import type { FindInRule, FindInSet, LintResult } from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { headerNameIn, headerOf } from "../set/read-headers";
import { withText } from "../set/comparison";
import { isMissingHeader } from "../set/missing-text";
import { plainNetwork } from "./networks";

/** Whether a request has one value of a header at most. */
const isSingleValued = (header: string) => knownHeader(header)?.isSingle;

/** The source text of a node. */
const sourceOf = ({ span }: Node, { source }: CheckedExpression) =>
  source.slice(span.offset, span.offset + span.length);

/** The edit that replaces a node by a text. */
const inPlaceOf = ({ span: { offset, length } }: Node, text: string) => ({
  offset,
  length,
  text,
});

/** A finding whose edit changes the rule's result for the request that shows the mistake. */
function shown(
  rule: LintedRule,
  set: LintedSet,
  edit: TextEdit,
  message: string,
  made?: (around: RuleRequest) => readonly RuleRequest[],
): (LintResult & { readonly request: RuleRequest }) | undefined {
  const { source } = rule.expression;
  const request = requestThatDiffers(
    rule,
    applyEdits(source, [edit]),
    set,
    made,
  );
  if (!request) return undefined;
  const { offset, length, text } = edit;
  const does = rule.isMatch(request) ? "matches" : "does not match";
  return {
    message: `${message}: this rule ${does} it`,
    fix: `write ${text}`,
    edits: [{ kind: "replace", ...edit }],
    span: { offset, length },
    request,
  };
}

/** A finding whose edit keeps the meaning. */
const same = (edit: TextEdit, message: string): LintResult => ({
  message,
  fix: `write ${edit.text}`,
  edits: [{ kind: "replace", ...edit }],
  span: { offset: edit.offset, length: edit.length },
});

/** Finds names of headers that are one or two letters from that of a known one. */
export const findHeaderNameUnknown: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    const name = headerNameIn(node, rule.expression.types);
    const meant = name && misspeltHeader(name.value);
    if (!meant) return [];
    const isDot = node.kind === "member" && node.notation === "dot";
    const edit = inPlaceOf(name, isDot ? meant : quote(meant));
    const message = `no client is known to send a header ${name.value}; a request with ${meant}`;
    // A name with a hyphen cannot follow a dot.
    const whole =
      isDot && node.kind === "member" && meant.includes("-")
        ? inPlaceOf(
            node,
            `${sourceOf(node.object, rule.expression)}[${quote(meant)}]`,
          )
        : edit;
    const [plain = ""] = plainTexts(meant);
    const sent = ({ headers, ...others }: RuleRequest): RuleRequest[] => [
      { ...others, headers: { [meant]: [plain], ...headers } },
    ];
    return (
      shown(rule, set, whole, message) ??
      shown(rule, set, whole, message, sent) ??
      []
    );
  });

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
    const message = `a request has one ${header} at most, and its place is 0`;
    return shown(rule, set, inPlaceOf(property, "0"), message) ?? [];
  });

/** Longer chains of `||` are not checked. */
const MAX_EXCLUSIONS = 20;

/** The texts that an operand of `||` excludes. */
interface Exclusion {
  readonly of: string;
  readonly texts: readonly string[];
}

function exclusionOf(
  node: Node,
  { comparisons, expression }: LintedRule,
): Exclusion | undefined {
  if (node.kind === "quantifier") {
    const { name, list, condition } = node;
    const header = headerOf(
      list.kind === "coalesce" ? list.left : list,
      expression.types,
    );
    const one = comparisons.find((other) => other.node === condition);
    const isSingle = header !== undefined && isSingleValued(header);
    return name === "none" && isSingle && one && !one.negated && isEquality(one)
      ? { of: canonicalText(list), texts: one.list }
      : undefined;
  }
  const one = comparisons.find((other) => other.node === node);
  return one?.negated && isEquality(one)
    ? { of: one.subject, texts: one.list }
    : undefined;
}

const isEquality = ({ operator }: { readonly operator: string }) =>
  operator === "==" || operator === "in";

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
        !other.texts.some((text) => first.texts.includes(text))
      );
    });
    if (!isOfOne) return [];
    const text = node.operands
      .map((one) => sourceOf(one, rule.expression))
      .join(" && ");
    const [shows = ""] = first.texts;
    const one = rule.comparisons.find((other) => first.texts === other.list);
    const message = `every value differs from one of the two, ${quote(shows)} does from the other one`;
    const found =
      one &&
      shown(rule, set, inPlaceOf(node, text), message, (around) =>
        withText(around, one, shows),
      );
    return found ? [found] : [];
  });

/** The comparison with `#` without its `!=` or `not`; undefined if it has neither. */
function positive(condition: Node | undefined): Node | undefined {
  if (condition?.kind === "unary") {
    const { operand } = condition;
    return operand.kind === "binary" && operand.left.kind === "pointer"
      ? operand
      : undefined;
  }
  if (condition?.kind !== "binary") return undefined;
  const { operator, negated, left, right } = condition;
  if (left.kind !== "pointer") return undefined;
  if (right.kind === "string" && right.value === "") return undefined;
  if (operator === "!=") return { ...condition, operator: "==" };
  return negated ? { ...condition, negated: false } : undefined;
}

/** Finds `any(list, # != ...)` in rules that deny: a missing header has no value that differs. */
export const findAnyDiffers: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    if (node.kind !== "quantifier" || node.name !== "any") return [];
    const header = headerOfList(node, rule.expression);
    const condition = positive(node.condition);
    const isSingle = header !== undefined && isSingleValued(header);
    if (!isSingle || !condition || rule.rule.action === "allow") return [];
    const list = sourceOf(node.list, rule.expression);
    const edit = inPlaceOf(
      node,
      `none(${list}, ${printExpression(condition)})`,
    );
    const message = `without ${header} no value differs`;
    return shown(rule, set, edit, message, without(header)) ?? [];
  });

function headerOfList(
  { list }: NodeOf<"quantifier">,
  { types }: CheckedExpression,
): string | undefined {
  return headerOf(list.kind === "coalesce" ? list.left : list, types);
}

/** Removes a header from a request. */
const without =
  (header: string) =>
  ({ headers, ...others }: RuleRequest): RuleRequest[] => [
    {
      ...others,
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => name !== header),
      ),
    },
  ];

/**
 * Finds rules that allow a request without the header, because `all()` or `none()` is
 * true then, although the request would be denied otherwise.
 */
export const findTrueWithoutHeader: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    const quantifier = node.kind === "unary" ? node.operand : node;
    if (quantifier.kind !== "quantifier") return [];
    const isOfNothing =
      (node.kind === "unary"
        ? quantifier.name === "any"
        : quantifier.name === "all" || quantifier.name === "none") &&
      rule.rule.action === "allow";
    const header = isOfNothing && headerOfList(quantifier, rule.expression);
    if (!header) return [];
    const says = `${node.kind === "unary" ? "!" : ""}${quantifier.name}()`;
    const text = sourceOf(node, rule.expression);
    const found = shown(
      rule,
      set,
      inPlaceOf(node, `(${quote(header)} in http.request.headers && ${text})`),
      `${says} holds for a request without ${header}`,
      without(header),
    );
    const isLetIn =
      found &&
      rule.isMatch(found.request) &&
      !set.firstMatching(set.before(rule), found.request) &&
      set.firstMatching(set.after(rule) ?? [], found.request)?.rule.action ===
        "deny";
    return isLetIn ? [found] : [];
  });

/** Finds comparisons with a text that stands for a header that was not sent. */
export const findMissingHeader: FindInRule = (rule, set) =>
  rule.comparisons.flatMap((comparison) => {
    const { part, field, text, operator, negated } = comparison;
    const isAsked = field === undefined && operator === "==" && !negated;
    if (!isAsked || !isMissingHeader(part, text)) return [];
    const within = rule.nodes.find(
      ({ node }) =>
        node.kind === "quantifier" && node.condition === comparison.node,
    )?.node;
    if (within?.kind === "quantifier" && within.name !== "any") return [];
    const edit = inPlaceOf(
      within ?? comparison.node,
      `${quote(part)} not in http.request.headers`,
    );
    const message = `a request without ${part} has no value, and so not ${quote(text)}`;
    return shown(rule, set, edit, message, without(part)) ?? [];
  });

/** Finds `guard && part has a || part has b`, where the guard applies only to the first comparison. */
export const findMixedOperators: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    if (node.kind !== "logical" || node.operator !== "||") return [];
    const [first, ...others] = node.operands;
    if (first?.kind !== "logical" || first.operator !== "&&") return [];
    if (isInParentheses(first, rule.expression)) return [];
    const comparisonOf = (one: Node | undefined) =>
      rule.comparisons.find(({ node: of, negated }) => of === one && !negated);
    const last = first.operands.at(-1);
    const inGuard = comparisonOf(last);
    const areAlike =
      inGuard !== undefined &&
      others.every((one) => {
        const other = comparisonOf(one);
        return (
          other?.subject === inGuard.subject &&
          other.operator === inGuard.operator
        );
      });
    const [behind] = others;
    const shows = comparisonOf(behind);
    if (!areAlike || !last || !behind || !shows) return [];
    const { offset, length } = node.span;
    const end = offset + length;
    const text = `${rule.expression.source.slice(offset, last.span.offset)}(${rule.expression.source.slice(last.span.offset, end)})`;
    return (
      shown(
        rule,
        set,
        { offset, length, text },
        `&& binds tighter than ||, so ${sourceOf(behind, rule.expression)} is enough`,
        (around) => withText(around, shows, shows.text),
      ) ?? []
    );
  });

/** Whether a node is in its own parentheses. */
function isInParentheses(
  { span: { offset, length } }: Node,
  { source }: CheckedExpression,
): boolean {
  return (
    /\(\s*$/.test(source.slice(0, offset)) &&
    /^\s*\)/.test(source.slice(offset + length))
  );
}

/** Finds texts that a list has twice. */
export const findRepeatedValue: FindInRule = ({ nodes, expression }) =>
  nodes.flatMap(({ node }) => {
    if (node.kind !== "list") return [];
    const first = new Map<string, Node>();
    let again: string | undefined;
    for (const element of node.elements) {
      const text = canonicalText(element);
      if (first.has(text)) again ??= text;
      else first.set(text, element);
    }
    if (again === undefined) return [];
    const once = [...first.values()].map((one) => sourceOf(one, expression));
    return [
      same(
        inPlaceOf(node, `[${once.join(", ")}]`),
        `${again} stands here twice`,
      ),
    ];
  });

/** Finds conditions that occur twice in one chain of `&&` or `||`. */
export const findRepeatedCondition: FindInRule = ({ nodes, expression }) =>
  nodes.flatMap(({ node }) => {
    if (node.kind !== "logical") return [];
    const seen = new Set<string>();
    const again = node.operands.find((operand) => {
      const text = canonicalText(operand);
      return seen.size === seen.add(text).size;
    });
    // overlapping-networks finds repeated networks.
    if (!again || again.kind === "boolean" || isNetworkTest(again)) return [];
    const text = sourceOf(again, expression);
    return [
      {
        message: `${text} stands here twice`,
        fix: "leave the second one out",
        span: again.span,
      },
    ];
  });

const isNetworkTest = (node: Node) =>
  node.kind === "binary" &&
  node.right.kind === "call" &&
  node.right.name === "cidr";

/** Finds IPv4 networks that are written as a part of IPv6. */
export const findMappedNetwork: FindInRule = ({ comparisons }) =>
  comparisons.flatMap(({ text, literal, field }) => {
    const plain = field?.type === "ip" ? plainNetwork(text) : undefined;
    return plain === undefined
      ? []
      : [
          same(
            inPlaceOf(literal, quote(plain)),
            `${text} is the IPv4 network ${plain}`,
          ),
        ];
  });

/** Finds rule sets in which every rule is disabled. */
export const findAllDisabled: FindInSet = ({ all }) =>
  all.length > 0 && all.every(({ status }) => status === "disabled")
    ? [
        {
          at: 0,
          message: "every rule is disabled, so that every request gets through",
          fix: "enable a rule, or delete them all",
          request: { headers: {} },
        },
      ]
    : [];
