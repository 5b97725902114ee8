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
import { headerNameIn, headerOf, headerOrElse } from "../set/read-headers";
import { does, holdsFor, shown } from "../set/prove";
import { plainTexts } from "../../solver/realistic-texts";
import {
  CHROME,
  FIREFOX,
  IN_BROWSER,
  inSdk,
  OF_APPS,
  SAFARI,
} from "../texts/clients";
import { COUNTRY_HEADERS } from "../texts/sent-texts";

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
  const isSingle =
    header !== undefined &&
    (isSingleValued(header) || COUNTRY_HEADERS.includes(header));
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

/** Rules that allow whoever does not send a header of pages, although a later rule denies others. */
function absentIsEnough(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const header = headerNameIn(node, rule.expression.types)?.value ?? "";
  const isPresence = node.kind === "binary" && rule.rule.action === "allow";
  if (!isPresence || !["Origin", "Referer"].includes(header)) return undefined;
  const isSent = replacement(node, `${node.negated ? "!" : ""}true`);
  const found = shown(
    rule,
    set,
    isSent,
    `scripts leave ${header} out, too`,
    () =>
      [EMPTY].filter((each) => rule.isMatch(each) && isPast(each, rule, set)),
  );
  const fix = "let requests without it in from apps alone, by sdk.platform";
  return found && { ...found, fix, edits: undefined, severity: "note" };
}

/** A text behind `??` that stands for a header which was not sent, and so decides requests without it. */
function byDefault(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  if (node.kind !== "coalesce") return undefined;
  const { left, right } = node;
  const isDeny = rule.rule.action === "deny";
  const [list, text] =
    right.kind === "list"
      ? [left, right.elements[0]]
      : [left.kind === "member" ? left.object : left, right];
  const header = headerOf(list, rule.expression.types);
  if (header === undefined || text?.kind !== "string") return undefined;
  // The empty text in a deny rule is the plain way to deny requests without a header.
  if (isDeny && text.value === "") return undefined;
  const found = shown(
    rule,
    set,
    replacement(node, printOperand(left), left),
    `without ${header}, ${quote(text.value)} takes its place`,
    () =>
      [EMPTY, IN_BROWSER, ...OF_APPS.map(inSdk)].filter(
        (each) => rule.isMatch(each) && (isDeny || isPast(each, rule, set)),
      ),
  );
  const fix = `decide requests without ${header} by a condition of their own`;
  return found && { ...found, fix, edits: undefined, severity: "note" };
}

/**
 * Headers that some clients do not send, and such a client (Fetch Metadata, Client Hints and
 * Referrer Policy of W3C; Fetch standard; RFC 9113; MDN).
 */
const LEFT_OUT: readonly {
  readonly of: readonly string[];
  readonly by: string;
  /** Default: that of Chrome. */
  readonly userAgent?: string;
  /** Whether a rule that lets only clients with the header in keeps out such clients by mistake. */
  readonly isOfAllowed?: boolean;
  /** Default: that of browsers. */
  readonly sdkPlatform?: string;
  /** Where it is a mistake. Default: everywhere. */
  readonly isIn?: (node: Node, header: string, rule: LintedRule) => boolean;
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
    isIn: (_, header, rule) =>
      !rule.isMatch(IN_BROWSER) ||
      rule.nodes.some(({ node }) =>
        isOfAll(node, header, rule.expression.types),
      ),
    severity: "note",
  },
  {
    of: ["Referer"],
    by: "pages with the policy no-referrer do",
    severity: "note",
  },
  {
    of: ["Cookie", "X-Requested-With", "Dnt", "Sec-Gpc"],
    by: "most requests of the SDK in pages do",
    severity: "note",
  },
  {
    of: ["Accept", "Accept-Language"],
    by: "libraries of apps do",
    userAgent: OF_APPS[1],
    sdkPlatform: "android",
    isIn: ({ kind }) => kind === "binary",
    severity: "note",
  },
  {
    of: ["Connection", "Keep-Alive"],
    by: "requests with HTTP/2 do",
  },
  {
    of: [...COUNTRY_HEADERS, "X-Forwarded-Proto", "Via"],
    by: "requests that come past the proxy do",
    isIn: ({ kind }) => kind === "member",
    severity: "note",
  },
  {
    of: ["Sec-Fetch-User", "Upgrade-Insecure-Requests"],
    by: "requests of scripts, which are no navigations, do",
  },
  {
    of: KNOWN_HEADERS.map(({ name }) => name).filter((name) =>
      name.startsWith("Sec-Ch-"),
    ),
    by: "Firefox and Safari do",
    userAgent: FIREFOX,
  },
];

/** Whether a node is true without a header, although it asks for values: `all(header, # != ...)`, `len(header) != ...`, or a guard within `!`. */
function isOfAll(node: Node, header: string, types: Types): boolean {
  if (node.kind === "quantifier")
    return (
      node.name === "all" &&
      headerOrElse(node.list, types) === header &&
      positive(node.condition) !== undefined
    );
  if (node.kind === "binary" && node.operator === "!=") {
    const [list] = node.left.kind === "call" ? node.left.args : [];
    return list !== undefined && headerOrElse(list, types) === header;
  }
  const inner = node.kind === "unary" ? node.operand : undefined;
  return (
    inner?.kind === "logical" &&
    inner.operator === "&&" &&
    inner.operands.some(
      (each) =>
        each.kind === "binary" && headerNameIn(each, types)?.value === header,
    )
  );
}

type Types = LintedRule["expression"]["types"];

/** Rules that keep out clients which do not send a header, and would not if they sent it. */
function keepsOut(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const { types } = rule.expression;
  const name = headerNameIn(node, types)?.value;
  if (name === undefined) return undefined;
  const row = LEFT_OUT.find(({ of }) => of.includes(name));
  const isDeny = rule.rule.action === "deny";
  if (!row || !(isDeny || row.isOfAllowed)) return undefined;
  const isFirst = (each: Node) => headerNameIn(each, types)?.value === name;
  if (
    row.isIn?.(node, name, rule) === false ||
    (row.severity &&
      rule.nodes.find((each) => isFirst(each.node))?.node !== node)
  )
    return undefined;
  const { by, userAgent = CHROME, severity, sdkPlatform = "js" } = row;
  const headers = { ...valuesOfBrowsers(row.of), "User-Agent": [userAgent] };
  const request: RuleRequest = { headers, userAgent, sdkPlatform };
  const { values = ["?1"] } = knownHeader(name) ?? {};
  const compared = rule.comparisons.filter(({ part }) => part === name);
  const isOther = [...values, ...compared.map(({ text }) => text)].some(
    (value) =>
      rule.isMatch({ ...request, headers: { ...headers, [name]: [value] } }) !==
      isDeny,
  );
  const isKeptOut = isDeny
    ? rule.isMatch(request)
    : !firstMatching(set.before(rule), request) &&
      firstMatching(set.enabled, request)?.rule.action === "deny";
  return isOther && isKeptOut
    ? {
        message: `${by} not send ${name}: this rule ${does(rule, request)} it`,
        fix: `decide requests without ${name} by another part, or leave the condition out`,
        span: node.span,
        request,
        ...(severity && { severity }),
      }
    : undefined;
}

/** The headers that the library of an app sends (OkHttp). */
const OF_LIBRARY = Object.fromEntries(
  ["Host", "User-Agent", "Accept-Encoding", "Connection"]
    .concat("Content-Type", "Content-Length")
    .map((name) => [name, [plainTexts(name)[0] ?? "1"]]),
);

/** Rules that deny requests with few headers. */
function fewHeaders(node: Node, rule: LintedRule): LintResult | undefined {
  const [of] = node.kind === "call" && node.name === "len" ? node.args : [];
  const isOfAll = of && rule.expression.types.get(of)?.kind === "headers";
  if (!isOfAll || rule.rule.action === "allow") return undefined;
  const request = { ...inSdk(OF_APPS[1]), headers: OF_LIBRARY };
  const headers = { ...valuesOfBrowsers([]), ...OF_LIBRARY };
  return rule.isMatch(request) && !rule.isMatch({ ...request, headers })
    ? {
        severity: "note",
        message: `the SDK of an app sends ${Object.keys(OF_LIBRARY).length} headers: this rule ${does(rule, request)} it`,
        fix: "test the platform, too",
        span: node.span,
        request,
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
      absentIsEnough(node, rule, set) ??
      byDefault(node, rule, set) ??
      fewHeaders(node, rule) ??
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
