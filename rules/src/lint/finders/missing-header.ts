import {
  printExpression,
  type Node,
  type NodeOf,
  type RuleRequest,
} from "../../language";
import { printOperand, quote } from "../../language/syntax/print-expression";
import {
  isSingleValued,
  knownHeader,
  KNOWN_HEADERS,
} from "../../language/tables/headers";
import { all, allows, noneMatches, not } from "../../solver/condition";
import {
  replacement,
  type FindInRule,
  type LintResult,
  type Severity,
} from "../set/lint";
import {
  EMPTY,
  firstMatching,
  type LintedRule,
  type LintedSet,
} from "../set/linted-set";
import { isMissingHeader } from "../set/missing-text";
import { headerNameIn, headerOrElse } from "../set/read-headers";
import { does, holdsFor, shown } from "../set/prove";
import { plainTexts } from "../../solver/realistic-texts";
import { CHROME, FIREFOX, OF_APPS, SAFARI } from "../texts/clients";

/** The comparison with `#` without its `!=` or `not`; undefined if it has neither. */
export function positive(condition: Node | undefined): Node | undefined {
  const isNot = condition?.kind === "unary";
  const compared = isNot ? condition.operand : condition;
  if (compared?.kind !== "binary") return undefined;
  const { operator, negated, left, right } = compared;
  if (left.kind !== "pointer" && right.kind !== "pointer") return undefined;
  if (isNot) return compared;
  if ([left, right].some((one) => one.kind === "string" && one.value === ""))
    return undefined;
  if (operator === "!=") return { ...compared, operator: "==" };
  return negated ? { ...compared, negated: false } : undefined;
}

/** The loop of `any(...)`, or of `!none(...)`, which means the same. */
function anyIn(node: Node): NodeOf<"quantifier"> | undefined {
  const isNot = node.kind === "unary";
  const loop = isNot ? node.operand : node;
  return loop.kind === "quantifier" && loop.name === (isNot ? "none" : "any")
    ? loop
    : undefined;
}

/** `any(list, # != ...)` in rules that deny: a missing header has no value that differs. */
function anyDiffers(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const loop = anyIn(node);
  if (!loop) return undefined;
  const header = headerOrElse(loop.list, rule.expression.types);
  const condition = positive(loop.condition);
  const isSingle = header !== undefined && isSingleValued(header);
  if (!isSingle || !condition || rule.rule.action === "allow") return undefined;
  const list = printOperand(loop.list);
  const edit = replacement(
    node,
    `none(${list}, ${printExpression(condition)})`,
  );
  const message = `without ${header} no value differs`;
  return shown(rule, set, edit, message, without(header));
}

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

/** The loop of a condition that may hold for an empty list. */
function loopIn(node: Node): NodeOf<"quantifier"> | undefined {
  const isNot = node.kind === "unary";
  const loop = isNot ? node.operand : node;
  if (loop.kind === "quantifier")
    return isNot === (loop.name === "any") &&
      (isNot || loop.name === "all" || loop.name === "none")
      ? loop
      : undefined;
  if (isNot || (node.kind !== "binary" && node.kind !== "order"))
    return undefined;
  // A number of elements, compared with a number.
  const sides = node.kind === "order" ? node.operands : [node.left, node.right];
  const [count] = sides.flatMap((side) => {
    const [list] = side.kind === "call" && side.name === "len" ? side.args : [];
    const of = list ?? side;
    const isOfElements =
      of.kind === "quantifier" &&
      of.name === (list === undefined ? "count" : "filter");
    return isOfElements ? [of] : [];
  });
  return count;
}

/** Whether a request reaches a rule, and a later rule denies it. */
export const isPast = (
  request: RuleRequest,
  rule: LintedRule,
  set: LintedSet,
) =>
  !firstMatching(set.before(rule), request) &&
  firstMatching(set.after(rule) ?? [], request)?.rule.action === "deny";

/**
 * Rules that allow a request without the header, because `all()` or `none()` is true
 * then, although a later rule would deny the request.
 */
function trueWithoutHeader(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const quantifier = loopIn(node);
  const header =
    quantifier && headerOrElse(quantifier.list, rule.expression.types);
  const isOfUse =
    rule.rule.action === "allow" && rule.rule.status === "enabled";
  const after = header !== undefined && isOfUse ? set.after(rule) : undefined;
  if (header === undefined || !after) return undefined;
  const says = `${node.kind === "unary" ? "!" : ""}${quantifier?.name}()${node.kind === "binary" || node.kind === "order" ? " of nothing" : ""}`;
  const text = printOperand(node);
  const isSent = `${quote(header)} in http.request.headers`;
  const before = set.before(rule);
  return shown(
    rule,
    set,
    replacement(node, `(${isSent} && ${text})`),
    `${says} holds for a request without ${header}`,
    (around) =>
      without(header)(around).filter((each) => isPast(each, rule, set)),
    all(holdsFor(`!(${isSent})`), noneMatches(before), not(allows(after))),
  );
}

/** Headers that some clients do not send, and such a client (Fetch Metadata and Client Hints of W3C; MDN). */
const LEFT_OUT: readonly {
  readonly of: readonly string[];
  readonly by: string;
  readonly userAgent: string;
  /** Whether a rule that lets only clients with the header in keeps out such clients by mistake. */
  readonly isOfAllowed?: boolean;
  /** Default: that of browsers. */
  readonly sdkPlatform?: string;
  /** Whether it is no mistake but in a condition on all values, which is true without a value. */
  readonly isOfAll?: boolean;
  readonly severity?: Severity;
}[] = [
  {
    isOfAllowed: true,
    of: ["Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"],
    by: "Safari before 16.4 and pages without TLS do",
    userAgent: SAFARI.replace("17.5", "16.3"),
  },
  {
    of: ["Origin"],
    by: "apps do",
    userAgent: OF_APPS[0],
    sdkPlatform: "ios",
    isOfAll: true,
    severity: "note",
  },
  {
    of: ["Sec-Fetch-User", "Upgrade-Insecure-Requests"],
    by: "requests of scripts, which are no navigations, do",
    userAgent: CHROME,
  },
  {
    of: KNOWN_HEADERS.map(({ name }) => name).filter((name) =>
      name.startsWith("Sec-Ch-"),
    ),
    by: "Firefox and Safari do",
    userAgent: FIREFOX,
  },
];

/** Rules that keep out clients which do not send a header, and would not if they sent it. */
function keepsOut(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const { types } = rule.expression;
  const name = headerNameIn(node, types)?.value;
  if (name === undefined) return undefined;
  const isInAll = () =>
    rule.nodes.some(
      ({ node: loop }) =>
        loop.kind === "quantifier" &&
        loop.name === "all" &&
        headerOrElse(loop.list, types) === name &&
        positive(loop.condition),
    );
  const row = LEFT_OUT.find(
    ({ of, isOfAll }) => of.includes(name) && (!isOfAll || isInAll()),
  );
  const isDeny = rule.rule.action === "deny";
  if (!row || !(isDeny || row.isOfAllowed)) return undefined;
  const { by, userAgent, severity, sdkPlatform = "js" } = row;
  const headers = { ...valuesOfBrowsers(row.of), "User-Agent": [userAgent] };
  const request: RuleRequest = { headers, userAgent, sdkPlatform };
  const { values = ["?1"] } = knownHeader(name) ?? {};
  const isOther = values.some(
    (value) =>
      rule.isMatch({ ...request, headers: { ...headers, [name]: [value] } }) !==
      isDeny,
  );
  const isKeptOut = isDeny
    ? rule.isMatch(request)
    : !firstMatching(set.before(rule), request) &&
      firstMatching(set.enabled, request)?.rule.action === "deny";
  return (isOther || row.isOfAll) && isKeptOut
    ? {
        message: `${by} not send ${name}: this rule ${does(rule, request)} it`,
        fix: `decide requests without ${name} by another part, or leave the condition out`,
        span: node.span,
        request,
        ...(severity && { severity }),
      }
    : undefined;
}

/** Headers of a browser, except some. */
const valuesOfBrowsers = (except: readonly string[]) =>
  Object.fromEntries(
    ["Accept", "Accept-Encoding", "Accept-Language", "Content-Type"]
      .concat("Origin", "Referer", "Host", "Sec-Fetch-Site", "Sec-Fetch-Mode")
      .filter((name) => !except.includes(name))
      .map((name) => [name, [plainTexts(name)[0] ?? ""]]),
  );

/** Finds conditions that hold, or do not hold, for a request without a header, against what they seem to mean. */
export const findMissingHeader: FindInRule = (rule, set) => [
  ...rule.nodes.flatMap(
    ({ node }) =>
      anyDiffers(node, rule, set) ??
      trueWithoutHeader(node, rule, set) ??
      keepsOut(node, rule, set) ??
      [],
  ),
  ...comparedAsText(rule, set),
  ...withoutAnything(rule, set),
];

/** Rules that allow a request without anything, which a later rule would deny, because it lacks a text that they look for. */
function withoutAnything(rule: LintedRule, set: LintedSet): LintResult[] {
  const isLetIn =
    rule.rule.action === "allow" &&
    rule.isMatch(EMPTY) &&
    isPast(EMPTY, rule, set);
  const [compared] = rule.comparisons.filter(
    ({ field }) => isLetIn && field?.symbolic?.kind === "variable",
  );
  if (!compared) return [];
  const { node, subject, part } = compared;
  const found = shown(
    rule,
    set,
    replacement(node, `(${subject} != '' && ${printOperand(node)})`),
    `${part} is empty in a request without it`,
    () => [EMPTY],
  );
  return found ? [found] : [];
}

/** Comparisons with a text that stands for a header that was not sent. */
const comparedAsText = (rule: LintedRule, set: LintedSet): LintResult[] =>
  rule.comparisons.flatMap((comparison) => {
    const { part, field, text, operator, negated, node, list } = comparison;
    const isAsked =
      field === undefined && (operator === "==" || operator === "in");
    const isList = comparison.elementsOf !== undefined;
    if (!isAsked || (negated && !isList) || !isMissingHeader(part, text))
      return [];
    const { nodes } = rule;
    const isIn = (loop: Node | undefined) =>
      loop?.kind === "quantifier" && loop.condition === node;
    const within = nodes.find((one) => isIn(anyIn(one.node)))?.node;
    if (!within && nodes.some((one) => isIn(one.node))) return [];
    const rest = list.filter((one) => !isMissingHeader(part, one)).map(quote);
    const others = `${comparison.subject} in [${rest.join(", ")}]`;
    const loop = within && anyIn(within);
    const whole = loop ? `any(${printOperand(loop.list)}, ${others})` : others;
    const isMissing = `${quote(part)} ${negated ? "" : "not "}in http.request.headers`;
    const edit = replacement(
      within ?? node,
      rest.length === 0 ? isMissing : `(${isMissing} || ${whole})`,
    );
    const message = `a request without ${part} has no value, and so not ${quote(text)}`;
    return shown(rule, set, edit, message, without(part)) ?? [];
  });
