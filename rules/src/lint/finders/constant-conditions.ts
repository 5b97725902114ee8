import {
  childrenOf,
  postOrder,
  printExpression,
  withChildren,
  type CheckedExpression,
  type Node,
  type NodeOf,
  type Span,
} from "../../language";
import { botFlags } from "../../language/request/bot-flags";
import { canonicalText, quote } from "../../language/syntax/print-expression";
import {
  editedExpression,
  madeExpression,
  treeOf,
  withNode,
} from "../../language/types/tree-edit";
import { isSingleValued } from "../../language/tables/headers";
import { onceFor } from "../../once-for";
import {
  all,
  matches,
  meetsCondition,
  type Condition,
} from "../../solver/condition";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import type { TextComparison } from "../set/comparison";
import {
  replacement,
  rewriting,
  type FindInRule,
  type LintResult,
} from "../set/lint";
import { EMPTY, type LintedRule, type LintedSet } from "../set/linted-set";
import { holdsFor, requestThatDiffers, seenIn, SHOWN } from "../set/prove";
import { headerNameIn, headerOrElse } from "../set/read-headers";
import { knownAgents, OF_BROWSERS } from "../texts/clients";
import { findInTexts } from "../texts/find-in-texts";
import { finds } from "../texts/text-claim";

/** A condition, or a part of it, that has one result for every request that clients send. */
interface Constant {
  readonly node: Node;
  readonly is: boolean;
  /** Whether that is proven only for requests as clients send them. */
  readonly isOfClients: boolean;
}

/** In chains of more operands, pairs are not compared. */
const MAX_OPERANDS = 12;

const nodesIn = (node: Node) => postOrder(node).map((visit) => visit.node);

/**
 * What is true of requests as clients send them, as far as a node depends on it: a
 * header has one value, a tool names only itself, and a browser is no app.
 */
function factsFor(node: Node, is: boolean, rule: LintedRule): Condition[] {
  const inside = nodesIn(node);
  // RFC 9110; Fetch standard.
  const facts = inside
    .flatMap((each) => headerNameIn(each, rule.expression.types)?.value ?? [])
    .filter((name) => isSingleValued(name) || OF_ONE_LINE.has(name))
    .map((name) => `len(http.request.headers[${quote(name)}] ?? ['']) == 1`);
  if (!rule.isDeny) facts.push(...factsOfApps(rule));
  if (node.kind === "logical") {
    const isInside = (each: TextComparison) => inside.includes(each.node);
    const sought = rule.ofAgents
      .filter(isInside)
      .filter(
        ({ operator, subject }) =>
          !subject.includes("#") &&
          /^(?:contains|startsWith|matches)$/.test(operator),
      )
      .slice(0, MAX_OPERANDS);
    for (const [i, second] of sought.entries())
      for (const first of sought.slice(0, i))
        facts.push(...factsOfTwo(first, second, is));
    const asksBots = inside.some((each) =>
      /^http\.user_agent\.is_|^sdk\.platform/.test(
        rule.expression.types.get(each)?.name ?? "",
      ),
    );
    if (asksBots) facts.push(...sought.flatMap(factsOfAgents));
    if (
      rule.comparisons
        .filter(isInside)
        .some(({ part }) => part === "sdk.platform.app_package_name")
    )
      facts.push(
        "!(sdk.platform.is_browser && sdk.platform.app_package_name != '')",
      );
  }
  return [...new Set(facts)].map(holdsFor);
}

/** Headers whose values clients send in one line, with commas between them. */
const OF_ONE_LINE = new Set([
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Sec-Ch-Ua",
]);

/** Headers that browsers send by themselves, and no SDK in an app (Fetch standard; Fetch Metadata and Client Hints of W3C). */
export const OF_PAGES = /^(?:Origin|Referer|Sec-(?:Fetch|Ch)-.*)$/;

const IS_APP = "sdk.platform.is_ios || sdk.platform.is_android";

/** That apps send no headers of pages, and that no other client has a package name, as far as a rule asks for these. */
export const factsOfApps = onceFor(
  ({ headers, comparisons }: LintedRule): string[] => [
    ...headers
      .filter((header) => OF_PAGES.test(header))
      .map(
        (each) => `${quote(each)} not in http.request.headers || !(${IS_APP})`,
      ),
    ...comparisons
      .filter(({ field }) => field?.from === "appPackageName")
      .map(({ field }) => `${field?.name} == '' || ${IS_APP}`),
  ],
);

/** What may be true of all clients whose user agent has some text. */
const OF_AGENTS: readonly (readonly [
  string,
  (userAgent: string) => boolean,
  /** Texts for which it is true. Default: all. */
  RegExp?,
])[] = [
  ["http.user_agent.is_ai_bot", (each) => botFlags(each).isAiBot],
  ["http.user_agent.is_crawler_bot", (each) => botFlags(each).isCrawlerBot],
  // Programs drive these browsers, which run the SDK of pages.
  ["sdk.platform.is_browser", (each) => /Headless|Phantom/.test(each)],
  // The SDK of an app has the user agent of a library.
  [
    `!(${IS_APP})`,
    () => true,
    /^(?:Safari|Version|Chrome|CriOS|Firefox|FxiOS|Edg)/,
  ],
];

/** The known clients whose user agent a comparison finds, whether or not it is negated. */
export const agentsOf = onceFor((comparison: TextComparison) => {
  const { functions, operator, text } = comparison;
  const isPlain = functions.length === 0 && operator !== "matches";
  return knownAgents(isPlain ? text : undefined).filter((each) =>
    finds(comparison, each),
  );
});

/** What is true of all known clients whose user agent a comparison finds. */
export const factsOfAgents = onceFor((comparison: TextComparison): string[] => {
  const { part, negated, subject, text } = comparison;
  if (!USER_AGENT_PARTS.includes(part) || negated || subject.includes("#"))
    return [];
  const found = agentsOf(comparison);
  return found.length === 0
    ? []
    : OF_AGENTS.filter(
        ([, is, of]) => found.every(is) && (!of || of.test(text)),
      ).map(([fact]) => `!(${printed(comparison)}) || ${fact}`);
});

const printed = ({ subject, operator, text }: TextComparison) =>
  `${subject} ${operator} ${quote(text)}`;

/** Which of two texts no known client has together, or alone. A rule may well deny a browser that claims to be two. */
function factsOfTwo(
  first: TextComparison,
  second: TextComparison,
  is: boolean,
): string[] {
  const [one, other] = [agentsOf(first), agentsOf(second)];
  const others = new Set(other);
  const both = one.filter((each) => others.has(each));
  const [areOne, areOther] = [one, other].map(
    (agents) => !agents.some((each) => OF_BROWSERS.includes(each)),
  );
  if (both.length === 0)
    return (is || (areOne && areOther)) && one.length * other.length > 0
      ? [`!(${printed(first)} && ${printed(second)})`]
      : [];
  // A crawler without its address may be a pretender, which a rule may well deny.
  return areOne === areOther
    ? []
    : areOne && both.length === one.length
      ? [`!(${printed(first)}) || ${printed(second)}`]
      : areOther && both.length === other.length
        ? [`!(${printed(second)}) || ${printed(first)}`]
        : [];
}

/** The length of the list in a header that an expression does not read. */
const someLength = (header: string) =>
  treeOf(`len(http.request.headers[${quote(header)}] ?? [])`);

/** What a loop over a header with one value at most asks of this value. */
const LOOPS: Readonly<
  Record<string, (isSent: string, holds: string) => string>
> = {
  any: (isSent, holds) => `${isSent} && (${holds})`,
  all: (isSent, holds) => `!(${isSent}) || (${holds})`,
  none: (isSent, holds) => `!(${isSent}) || !(${holds})`,
  count: (isSent, holds) => `${isSent} && (${holds}) ? 1 : 0`,
};

/** A node as an expression. The whole expression stays the same object, whose compiled form is kept. */
const partOf = (expression: CheckedExpression, root: Node) =>
  root === expression.root ? expression : { ...expression, root };

/**
 * An expression that has every result of a node, and that the solver understands better:
 * a number of elements is the length of some list, the same list only for the same
 * number. For requests of clients, a loop over a header with one value at most asks for
 * this value.
 */
function simplified(
  node: Node,
  expression: CheckedExpression,
  isOfClients: boolean,
): CheckedExpression | undefined {
  const { types } = expression;
  if (!nodesIn(node).some(({ kind }) => kind === "quantifier"))
    return partOf(expression, node);
  const lengths = new Map<string, Node>();
  const lengthFor = (number: Node, list: Node): Node | undefined => {
    // A number that depends on an element of an outer loop is another one for each.
    if (nodesIn(list).some(({ kind }) => kind === "pointer")) return undefined;
    const text = canonicalText(number);
    let header = `X-Some-${lengths.size}`;
    while (expression.source.includes(header)) header += "0";
    const length = lengths.get(text) ?? someLength(header);
    lengths.set(text, length);
    return length;
  };
  const simple = (each: Node, element?: Node): Node => {
    if (each.kind === "pointer" && element) return element;
    const [of] = each.kind === "call" && each.name === "len" ? each.args : [];
    const length = of?.kind === "quantifier" && lengthFor(each, of.list);
    if (length) return length;
    if (each.kind === "quantifier") {
      const header = headerOrElse(each.list, types);
      const loop = LOOPS[each.name];
      if (isOfClients && loop && header && isSingleValued(header)) {
        const name = quote(header);
        const value = treeOf(`http.request.headers[${name}][0]`);
        const { condition } = each;
        const holds = condition
          ? printExpression(simple(condition, value))
          : "true";
        return treeOf(loop(`${name} in http.request.headers`, holds));
      }
      const number = each.name === "count" && lengthFor(each, each.list);
      // In the condition, # stands for the elements of this list.
      return (
        number ||
        withChildren(each, (child) =>
          simple(child, child === each.list ? element : undefined),
        )
      );
    }
    return withChildren(each, (child) => simple(child, element));
  };
  return madeExpression(simple(node), expression);
}

/** The constant that a node is; undefined if it is none, or if that is not proven. */
function constantAt(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): Constant | undefined {
  const own = partOf(rule.expression, node);
  // A search takes longer than requests that are at hand.
  const samples = [EMPTY, rule.match.request ?? EMPTY];
  for (const is of [false, true]) {
    const facts = factsFor(node, is, rule);
    const refutes = (expression: CheckedExpression, ...of: Condition[]) =>
      all(...of, { kind: "evaluates", expression, to: !is });
    const refuted = refutes(own, ...facts);
    if (samples.some((request) => meetsCondition(refuted, request))) continue;
    for (const isOfClients of [false, true]) {
      if (isOfClients && facts.length === 0) continue;
      const simple = simplified(node, rule.expression, isOfClients);
      const of = isOfClients ? facts : [];
      if (simple && set.isImpossible(refutes(simple, ...of)))
        return { node, is, isOfClients };
    }
  }
  return undefined;
}

/** The constant that two operands are for each value of a header. */
function constantOfElements(
  node: Node,
  list: Node,
  { expression }: LintedRule,
  set: LintedSet,
): Constant | undefined {
  const header = headerOrElse(list, expression.types);
  if (header === undefined || node.kind !== "logical") return undefined;
  const not = node.operands.filter(
    (each) =>
      each.kind === "unary" ||
      (each.kind === "binary" && (each.negated || each.operator === "!=")),
  ).length;
  // Of other pairs, some value meets one operand, and some value meets none.
  if (node.operands.length !== 2 || (not === 0) === (node.operator === "||"))
    return undefined;
  const value = treeOf(`http.request.headers[${quote(header)}][0]`);
  const ofValue = (each: Node): Node =>
    each.kind === "pointer" ? value : withChildren(each, ofValue);
  const is = node.operator === "||";
  const made = madeExpression(ofValue(node), expression);
  return made &&
    set.isImpossible({ kind: "evaluates", expression: made, to: !is })
    ? { node, is, isOfClients: false }
    : undefined;
}

/** The innermost constants of a rule. A node that fails whenever it is read is none. */
const constantsOf = onceFor((set: LintedSet) =>
  onceFor((rule: LintedRule): readonly Constant[] => {
    const { comparisons, expression, nodes } = rule;
    // A field and the first value of a header may have a text, or may not.
    const plain = new Set(
      comparisons.map(({ field, subject, node, isChained }) =>
        (field || subject.endsWith("[0]")) && !isChained ? node : undefined,
      ),
    );
    const within = new Set<Node>();
    const found = nodes.flatMap(({ node, around }) => {
      if (childrenOf(node).some((child) => within.has(child))) within.add(node);
      // A rule `true` or `false` is meant, and a field may be either.
      const isCondition =
        node.kind !== "boolean" &&
        node.kind !== "member" &&
        expression.types.get(node)?.kind === "boolean" &&
        (!around || node.kind === "logical");
      if (!isCondition || within.has(node) || plain.has(node) || set.isOver)
        return [];
      const constant = around
        ? constantOfElements(node, around, rule, set)
        : constantAt(node, rule, set);
      // A loop around it may be constant itself.
      if (constant && !around) within.add(node);
      return constant && !isMeant(constant, rule) ? [constant] : [];
    });
    const isInOther = ({ node }: Constant) =>
      found.some(
        (each) => each.node !== node && isInside(node.span, each.node.span),
      );
    // That no client sends its text says why it is constant.
    return found.filter(
      (each) =>
        !isInOther(each) &&
        (each.node.kind !== "binary" ||
          !findInTexts("never-sent")(rule, set).some(({ span }) =>
            isInside(span, each.node.span),
          )),
    );
  }),
);

const isInside = (span: Span | undefined, { offset, length }: Span) =>
  span !== undefined &&
  span.offset >= offset &&
  span.offset + span.length <= offset + length;

/** Whether a loop asks for one value, which nobody sends twice. */
const isOneValue = ({ condition }: NodeOf<"quantifier">) =>
  condition?.kind === "binary" && condition.operator === "==";

/** A rule may deny requests that have more values than any client sends. */
const isMeant = ({ node, is, isOfClients }: Constant, rule: LintedRule) =>
  isOfClients &&
  !is &&
  rule.isDeny &&
  nodesIn(node).some(
    (each) =>
      (each.kind === "call" && each.name === "len") ||
      (each.kind === "quantifier" &&
        each.name === "count" &&
        !isOneValue(each)),
  );

/** The largest difference between a number and the numbers that are tried instead. */
const STEPS = [1n, -1n, 2n, -2n];

/** Nodes that somebody may have meant by a node. */
function insteadOf(node: Node): readonly Node[] {
  if (node.kind === "logical") {
    const operands = node.operands.filter(({ kind }) => kind !== "boolean");
    const [only] = operands;
    if (only && operands.length === 1) return [only];
    return only && operands.length < node.operands.length
      ? [{ ...node, operands }]
      : [{ ...node, operator: node.operator === "||" ? "&&" : "||" }];
  }
  const isNegative = node.kind === "unary" && node.operator === "-";
  const number = isNegative ? node.operand : node;
  if (number.kind !== "integer") return [];
  const value = isNegative ? -number.value : number.value;
  return STEPS.map((step) => value + step)
    .filter((other) => other >= 0n || value < 0n)
    .map((other) => ({ ...number, value: other }));
}

/** The two operands of `&&` that are never true together. */
function contradiction(node: Node, rule: LintedRule, set: LintedSet) {
  if (node.kind !== "logical" || node.operator !== "&&") return undefined;
  const facts = factsFor(node, false, rule);
  const areExclusive = (...operands: readonly Node[]) =>
    set.isImpossible(
      all(
        ...facts,
        ...operands.map((root) => matches({ ...rule.expression, root })),
      ),
    );
  const operands = node.operands.slice(0, MAX_OPERANDS);
  for (const [i, second] of operands.entries())
    for (const first of operands.slice(0, i))
      // Neither of two is constant, because a constant is the innermost one.
      if (node.operands.length === 2 || areExclusive(first, second))
        return { first, second, chain: node };
  return undefined;
}

/** The chain in which one of two operands is enough. */
function eitherOf(pair: ReturnType<typeof contradiction>): Node[] {
  if (!pair || pair.chain.operands.length === 2) return [];
  const { first, second, chain } = pair;
  const either: Node = { ...chain, operator: "||", operands: [first, second] };
  const operands = chain.operands.with(chain.operands.indexOf(first), either);
  return [{ ...chain, operands: operands.filter((each) => each !== second) }];
}

function resultOf(
  { node, is, isOfClients }: Constant,
  rule: LintedRule,
  set: LintedSet,
): LintResult {
  const { root } = rule.expression;
  const pair = is ? undefined : contradiction(node, rule, set);
  const why = pair
    ? `${printExpression(pair.first)} and ${printExpression(pair.second)} are never both true`
    : `${printExpression(node)} is ${is ? "always" : "never"} true`;
  const message = `${why}${isOfClients ? " of what clients send" : ""}`;
  const facts = factsFor(node, is, rule);
  const inside = nodesIn(node).toReversed();
  for (const meant of [
    ...eitherOf(pair),
    ...inside.flatMap((at) =>
      // One of two things that no client has together may be the mistake.
      (pair && isOfClients && at === node ? [] : insteadOf(at)).map((by) =>
        withNode(node, at, by),
      ),
    ),
  ]) {
    if (set.isOver) break;
    const isBare = node === root || node.outer || meant.kind !== "logical";
    const text = printExpression(meant);
    const edit = replacement(node, isBare ? text : `(${text})`, meant);
    const checked = editedExpression(rule.expression, [edit]);
    const simple = checked && simplified(checked.root, checked, true);
    if (!simple) continue;
    const [same, other] = [is, !is].map((to) =>
      set.findRequest(
        all(...facts, { kind: "evaluates", expression: simple, to }),
      ),
    );
    const isConstant = same?.answer === "none" || other?.answer === "none";
    const request =
      !isConstant &&
      requestThatDiffers(
        rule,
        edit,
        set,
        (around) => [around, other?.request ?? around],
        all(...facts),
      );
    if (request)
      return {
        ...rewriting(edit),
        ...seenIn(request, rule, message, SHOWN),
      };
  }
  return {
    message,
    fix: inside.some(({ kind }) => kind === "name")
      ? "correct it, or delete it"
      : "compare a part of the request, or delete it",
    span: node.span,
  };
}

/** Finds parts of a condition that have one result for every request, and whole conditions that have one for what clients send. */
export const findConstantCondition: FindInRule = (rule, set) =>
  constantsOf(set)(rule)
    .filter(
      (constant) =>
        !isWhole(constant, rule) || (constant.is && !set.matchesAlways(rule)),
    )
    .map((constant) => resultOf(constant, rule, set));

const isWhole = ({ node, isOfClients }: Constant, rule: LintedRule) =>
  node === rule.expression.root && !isOfClients;

/** Finds conditions that no request meets. */
export const findNeverMatches: FindInRule = (rule, set) => {
  const { root } = rule.expression;
  if (root.kind === "boolean" && !root.value)
    return {
      severity: "note",
      message: "no request can match this",
      fix: "write its condition, or delete the rule",
    };
  const whole = constantsOf(set)(rule).find((each) => isWhole(each, rule));
  if (rule.match.answer !== "none") return undefined;
  const { fix, edits, message, ...found }: Partial<LintResult> =
    whole && !whole.is ? resultOf(whole, rule, set) : {};
  return {
    ...found,
    span: undefined,
    message: `no request can match this${message ? `: ${message}` : ""}`,
    fix: edits
      ? `delete the rule, or ${fix}`
      : "correct it, or delete the rule",
    edits: edits ?? [{ kind: "delete" }],
  };
};

/** Finds conditions that hold for every request without being written as `true`. */
export const findAlwaysMatches: FindInRule = (rule, set) => {
  const whole = constantsOf(set)(rule).find((each) => isWhole(each, rule));
  if (!whole?.is || !set.matchesAlways(rule)) return undefined;
  const found = resultOf(whole, rule, set);
  return found.edits
    ? { ...found, severity: "warning" }
    : {
        message: "this is true of every request",
        fix: "correct it, or write true if that is meant",
        edits: [replacement(rule.expression.root, "true")],
        removes: true,
      };
};
