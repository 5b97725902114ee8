import { compileExpression } from "../../eval/compile-expression";
import { coreOf } from "../../core/lower";
import {
  checkExpression,
  childrenOf,
  postOrder,
  withBrackets,
  type CheckedExpression,
  type Node,
  type RuleRequest,
  type Span,
} from "../../language";
import { isBothBots } from "../../language/request/bot-flags";
import {
  KNOWN_USER_AGENTS,
  toolNamed,
} from "../../language/request/known-user-agents";
import { printExpression, quote } from "../../language/syntax/print-expression";
import { applyEdits, type TextEdit } from "../../language/syntax/text-edit";
import { isSingleValued } from "../../language/tables/headers";
import { keepingResults } from "../../keeping-results";
import { onceFor } from "../../once-for";
import {
  all,
  matches,
  meetsCondition,
  type Condition,
} from "../../solver/condition";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import { withText } from "../set/comparison";
import { guessedRequest } from "../set/guessed-request";
import { replacement, type FindInRule, type LintResult } from "../set/lint";
import { EMPTY, type LintedRule, type LintedSet } from "../set/linted-set";
import { headerNameIn, headerOrElse } from "../set/read-headers";
import { requestThatDiffers } from "../set/request-that-differs";
import { sourceOf } from "../set/shown";
import { findInTexts } from "../texts/find-in-texts";

/** A condition, or a part of it, that has one result for every request that clients send. */
interface Constant {
  readonly node: Node;
  readonly is: boolean;
  /** Whether that is proven only for requests as clients send them. */
  readonly isOfClients: boolean;
}

/** The condition that a fact about requests holds. */
const factOf = keepingResults(1_000, (fact): Condition => {
  const checked = checkExpression(fact);
  if (!checked.ok) throw new Error(`${fact} is no expression.`);
  return matches(checked.expression);
});

/** One value at most, and no list without values, of each header that a node reads (RFC 9110; Fetch standard). */
function ofHeaders(node: Node, { expression }: LintedRule): Condition[] {
  const names = postOrder(node).flatMap((visit) => {
    const name = headerNameIn(visit.node, expression.types)?.value;
    return name !== undefined && isSingleValued(name) ? [name] : [];
  });
  return [...new Set(names)].map((name) =>
    factOf(`len(http.request.headers[${quote(name)}] ?? ['']) == 1`),
  );
}

/** What excludes operands of a chain: a tool names only itself, and a browser is no app. */
function ofOperands(node: Node, is: boolean, rule: LintedRule): Condition[] {
  if (node.kind !== "logical") return [];
  const inside = new Set(postOrder(node).map((visit) => visit.node));
  const compared = rule.comparisons.filter((each) => inside.has(each.node));
  const sought = compared.filter(
    ({ part, operator, subject }) =>
      USER_AGENT_PARTS.includes(part) &&
      !subject.includes("#") &&
      (operator === "contains" || operator === "startsWith"),
  );
  const pairs = sought.flatMap((first, i) =>
    sought.slice(i + 1, MAX_OPERANDS).flatMap((second) => {
      const [one, other] = [first, second].map(({ text }) => toolNamed(text));
      const areTools = one && other && one !== other;
      // A user agent with both names may be what a rule denies.
      const isOfNoClient =
        is &&
        !KNOWN_USER_AGENTS.some(({ userAgent }) =>
          [first, second].every(({ text }) => userAgent.includes(text)),
        );
      return areTools || isOfNoClient ? [[first, second]] : [];
    }),
  );
  return [
    ...pairs.map((pair) =>
      factOf(
        `!(${pair.map(({ operator, subject, text }) => `${subject} ${operator} ${quote(text)}`).join(" && ")})`,
      ),
    ),
    ...(compared.some(({ part }) => part === "sdk.platform.app_package_name")
      ? [
          factOf(
            "!(sdk.platform.is_browser && sdk.platform.app_package_name != '')",
          ),
        ]
      : []),
  ];
}

/** What is true of requests as clients send them, as far as a node depends on it. */
const factsFor = (node: Node, is: boolean, rule: LintedRule) => [
  ...ofHeaders(node, rule),
  ...ofOperands(node, is, rule),
];

/** The length of some list. */
const SOME_LENGTH = "len(http.request.headers['X-Some'] ?? [])";

/**
 * A node that has every result of the given one, and that the solver understands better:
 * a number of elements is the length of some list. For requests of clients, a loop over
 * a header with one value at most asks for this value.
 */
function simplified(
  node: Node,
  { source, types }: CheckedExpression,
  isOfClients: boolean,
): CheckedExpression | undefined {
  const textOf = (each: Node, pointer?: string): string => {
    if (each.kind === "pointer" && pointer !== undefined) return pointer;
    if (each.kind === "quantifier") {
      const { name, list, condition } = each;
      const header = headerOrElse(list, types);
      const value = `http.request.headers[${quote(header ?? "")}]`;
      const holds = condition
        ? `(${textOf(condition, `${value}[0]`)}\n)`
        : "true";
      if (isOfClients && header !== undefined && isSingleValued(header)) {
        const isSent = `${quote(header)} in http.request.headers`;
        if (name === "any") return `(${isSent} && ${holds})`;
        if (name === "all") return `(!(${isSent}) || ${holds})`;
        if (name === "none") return `(!(${isSent}) || !${holds})`;
        if (name === "count") return `(${isSent} && ${holds} ? 1 : 0)`;
      }
      if (name === "count") return SOME_LENGTH;
    }
    const isOfLoop =
      each.kind === "call" &&
      each.name === "len" &&
      each.args[0]?.kind === "quantifier";
    if (isOfLoop) return SOME_LENGTH;
    let [text, at] = ["", withBrackets(each).offset];
    for (const child of childrenOf(each)) {
      const { offset, length } = withBrackets(child);
      text += source.slice(at, offset) + textOf(child, pointer);
      at = offset + length;
    }
    const { offset, length } = withBrackets(each);
    return text + source.slice(at, offset + length);
  };
  const checked = checkExpression(textOf(node));
  return checked.ok ? checked.expression : undefined;
}

/** Requests that may show that a node is not constant: nothing at all, what it seeks, and each of its texts. */
function* triesFor(
  node: Node,
  rule: LintedRule,
  expression: CheckedExpression,
): Iterable<RuleRequest> {
  yield EMPTY;
  const { match } = rule;
  const around =
    node === rule.expression.root && match.answer === "found"
      ? match.request
      : guessedRequest(coreOf(expression));
  yield around;
  const inside = new Set(postOrder(node).map((visit) => visit.node));
  for (const comparison of rule.comparisons)
    if (inside.has(comparison.node)) {
      yield* withText(around, comparison, comparison.text).slice(0, 1);
      yield* withText(around, comparison, "x");
    }
}

/** The constant that a node is; undefined if it is none, or if that is not proven. */
function constantAt(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): Constant | undefined {
  const expression = { ...rule.expression, root: node };
  const compiled = compileExpression(expression);
  const results: { readonly request: RuleRequest; readonly is: boolean }[] = [];
  /** Whether facts about clients may exclude the requests that are tried. */
  let isOpen = false;
  for (const request of triesFor(node, rule, expression)) {
    const result = compiled.evaluate(request);
    // A missing value makes it fail; somebody may want that.
    if (isBothBots(request) || !("value" in result)) continue;
    results.push({ request, is: result.value });
    // No request that is tried has two values of a header.
    const isRefuted = results.some(({ is }) => is !== result.value);
    if (!isRefuted) continue;
    isOpen ||= node.kind === "logical" && factsFor(node, true, rule).length > 0;
    if (!isOpen) return undefined;
  }
  for (const isOfClients of [false, true])
    for (const is of [false, true]) {
      const refuting = results.filter((result) => result.is !== is);
      if (refuting.length > 0 && !isOfClients) continue;
      const facts = isOfClients ? factsFor(node, is, rule) : [];
      const isRefuted = refuting.some(({ request }) =>
        facts.every((fact) => meetsCondition(fact, request)),
      );
      if (isRefuted) continue;
      if (isOfClients && facts.length === 0) continue;
      const simple = simplified(node, rule.expression, isOfClients);
      const isProven =
        simple &&
        set.isImpossible(
          all(...facts, { kind: "evaluates", expression: simple, to: !is }),
        );
      if (isProven) return { node, is, isOfClients };
    }
  return undefined;
}

/** Whether a node asks for a text in a part of a request, or in a header's values: some have it, and some have not. */
function isPlain(node: Node): boolean {
  switch (node.kind) {
    case "logical":
    case "conditional":
    case "order":
      return false;
    case "unary":
      return isPlain(node.operand);
    case "quantifier":
      return (
        node.name !== "count" &&
        node.condition !== undefined &&
        isPlain(node.condition)
      );
    case "binary": {
      const { left, right } = node;
      const isSecond =
        left.kind === "member" &&
        left.property.kind !== "string" &&
        !(left.property.kind === "integer" && left.property.value === 0n);
      const isOfText =
        (right.kind === "string" && left.kind !== "string") ||
        right.kind === "list" ||
        (right.kind === "call" && right.name === "cidr");
      return isOfText && !isSecond;
    }
    default:
      return true;
  }
}

/** The innermost constants of a rule. A node that fails whenever it is read is none. */
const constantsOf = onceFor((set: LintedSet) =>
  onceFor((rule: LintedRule): readonly Constant[] => {
    const found: Constant[] = [];
    const within = new Set<Node>();
    for (const { node, around } of rule.nodes) {
      if (childrenOf(node).some((child) => within.has(child))) within.add(node);
      // A rule `true` or `false` is meant.
      const isBoolean =
        node.kind !== "boolean" &&
        rule.expression.types.get(node)?.kind === "boolean";
      if (!isBoolean || around || within.has(node) || isPlain(node)) continue;
      const constant = constantAt(node, rule, set);
      if (!constant) continue;
      within.add(node);
      // That no client sends its text says why it is constant.
      const isExplained = findInTexts("never-sent")(rule, set);
      if (
        !isMeant(constant, rule) &&
        !isExplained.some(
          ({ span }) => node.kind === "binary" && isInside(span, node.span),
        )
      )
        found.push(constant);
    }
    return found;
  }),
);

const isInside = (span: Span | undefined, { offset, length }: Span) =>
  span !== undefined &&
  span.offset >= offset &&
  span.offset + span.length <= offset + length;

/** A rule may deny requests that have more values than any client sends. */
const isMeant = ({ node, is, isOfClients }: Constant, { rule }: LintedRule) =>
  isOfClients &&
  !is &&
  rule.action === "deny" &&
  postOrder(node).some(
    ({ node: each }) =>
      (each.kind === "call" && each.name === "len") ||
      (each.kind === "quantifier" && each.name === "count"),
  );

/** The largest difference between a number and the numbers that are tried instead. */
const STEPS = [1n, -1n, 2n, -2n];

/** Other conditions that somebody may have meant by a constant one, best first. */
function meantBy(
  { node }: Constant,
  { expression }: LintedRule,
): readonly TextEdit[] {
  const inside = postOrder(node).map((visit) => visit.node);
  const numbers = inside.filter(
    (each) =>
      each.kind === "integer" ||
      (each.kind === "unary" && each.operand.kind === "integer"),
  );
  return [
    ...inside.toReversed().flatMap((each) => {
      if (each.kind !== "logical") return [];
      const other = each.operator === "||" ? "&&" : "||";
      const rest = each.operands.filter(({ kind }) => kind !== "boolean");
      const [text, kept] = [other, each.operator].map((operator) =>
        rest
          .map((operand) => sourceOf(operand, expression))
          .join(` ${operator} `),
      ) as [string, string];
      const isBare = each === expression.root || each.outer !== undefined;
      return rest.length < each.operands.length
        ? replacement(each, kept)
        : replacement(each, isBare ? text : `(${text})`);
    }),
    ...numbers.slice(-1).flatMap((number) => {
      const value = BigInt(sourceOf(number, expression).replace(/[()\s]/g, ""));
      return STEPS.map((step) => value + step)
        .filter((other) => other >= 0n || value < 0n)
        .map((other) => replacement(number, String(other)));
    }),
  ];
}

/** The two operands of `&&` that are never true together. */
function contradiction(node: Node, rule: LintedRule, set: LintedSet) {
  if (node.kind !== "logical" || node.operator !== "&&") return undefined;
  const operands = node.operands.slice(0, MAX_OPERANDS);
  const [one, other] = node.operands;
  // Neither of the two is constant, because a constant is the innermost one.
  if (one && other && node.operands.length === 2)
    return { first: one, second: other, areNeighbours: true };
  const facts = factsFor(node, false, rule);
  for (const [i, second] of operands.entries())
    for (const first of operands.slice(0, i)) {
      const both = [first, second].map((root) =>
        matches({ ...rule.expression, root }),
      );
      if (set.isImpossible(all(...facts, ...both)))
        return { first, second, areNeighbours: operands[i - 1] === first };
    }
  return undefined;
}

/** In chains of more operands, pairs are not compared. */
const MAX_OPERANDS = 12;

function spanOver(first: Node, last: Node): Span {
  const { offset } = withBrackets(first);
  const end = withBrackets(last);
  return { offset, length: end.offset + end.length - offset };
}

function resultOf(
  constant: Constant,
  rule: LintedRule,
  set: LintedSet,
): LintResult {
  const { node, is, isOfClients } = constant;
  const { expression } = rule;
  const { source } = expression;
  const pair = is ? undefined : contradiction(node, rule, set);
  const [first, second] = [pair?.first, pair?.second].map(
    (operand) => operand && sourceOf(operand, expression),
  );
  const why = pair
    ? `${printExpression(pair.first)} and ${printExpression(pair.second)} are never true together`
    : `${printExpression(node)} is ${is ? "always" : "never"} true`;
  const message = `${why}${isOfClients ? " of what clients send" : ""}`;
  const facts = factsFor(node, is, rule);
  const ofPair =
    pair?.areNeighbours &&
    replacement(
      { span: spanOver(pair.first, pair.second) },
      `(${first} || ${second})`,
    );
  const isLonger = node.kind === "logical" && node.operands.length > 2;
  for (const edit of [
    ...(ofPair && isLonger ? [ofPair] : []),
    ...meantBy(constant, rule),
  ]) {
    const checked = checkExpression(applyEdits(expression.source, [edit]));
    if (!checked.ok) continue;
    const tried = [EMPTY, guessedRequest(coreOf(checked.expression))];
    const isSometimes = [true, false].every((to) => {
      const condition = all(...facts, {
        kind: "evaluates",
        expression: checked.expression,
        to,
      });
      return (
        tried.some((each) => meetsCondition(condition, each)) ||
        set.findRequest(condition).answer === "found"
      );
    });
    const request =
      isSometimes &&
      requestThatDiffers(
        rule,
        checked.expression.source,
        set,
        undefined,
        all(...facts),
      );
    if (request) {
      const { offset, length } = node.span;
      const within = { ...edit, offset: edit.offset - offset };
      const whole = source.slice(offset, offset + length);
      return {
        message: `${message}; here is a request: this rule ${rule.isMatch(request) ? "matches" : "does not match"} it`,
        fix: `write ${applyEdits(whole, [within])}`,
        edits: [{ kind: "replace", ...edit }],
        span: node.span,
        request,
      };
    }
  }
  return {
    message,
    fix: postOrder(node).some(({ node: each }) => each.kind === "name")
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
  if (rule.match.answer !== "none") return [];
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
  if (!whole?.is || !set.matchesAlways(rule)) return [];
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
