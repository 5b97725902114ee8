import {
  printExpression,
  type Node,
  type NodeOf,
  type RuleRequest,
} from "../../language";
import { printOperand, quote } from "../../language/syntax/print-expression";
import { onceFor } from "../../once-for";
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
import { holdsFor, seenIn, shown } from "../set/prove";
import { plainTexts } from "../../solver/realistic-texts";
import {
  CHROME,
  FIREFOX,
  IN_BROWSER,
  inSdk,
  OF_APPS,
  SAFARI,
} from "../texts/clients";
import type { TextComparison } from "../set/comparison";
import { textsIn } from "../texts/matches-others";
import { finds } from "../texts/text-claim";
import { COUNTRY_HEADERS, OF_SECRETS } from "../texts/sent-texts";
import { OF_PAGES } from "./constant-conditions";

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

const OPPOSITE = { any: "none", none: "any" } as const;

/** The loop of `any(...)`, or of `!none(...)`, which means the same; or the other way round. */
export function loopOf(node: Node, name: "any" | "none") {
  const isNot = node.kind === "unary";
  const loop = isNot ? node.operand : node;
  return loop.kind === "quantifier" &&
    loop.name === (isNot ? OPPOSITE[name] : name)
    ? loop
    : undefined;
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

/** The loop whose result, or number of elements, a condition tests. */
function loopIn(node: Node): NodeOf<"quantifier"> | undefined {
  const sides =
    node.kind === "order"
      ? node.operands
      : node.kind === "binary"
        ? [node.left, node.right]
        : [node.kind === "unary" ? node.operand : node];
  for (const side of sides) {
    const [loop = side] = side.kind === "call" ? side.args : [];
    if (loop.kind === "quantifier") return loop;
  }
  return undefined;
}

/** A condition that may be meant otherwise for a request without a header. */
interface Doubt {
  readonly header: string;
  readonly says: string;
  /** What is rather meant. */
  readonly by: string;
  /** What to do if that is none to offer. */
  readonly fix?: string;
  /** The requests of a note. Default: requests without the header, also by a search. */
  readonly requests?: readonly RuleRequest[];
  /** Default: that of the lint, or that of a note with `requests`. */
  readonly severity?: Severity;
}

/** The first doubt about a node: a loop, a test whether a header was sent, a number of headers, or a default. */
function doubtOf(node: Node, isDeny: boolean, types: Types): Doubt | undefined {
  const any = loopOf(node, "any");
  // Without the header, `any()` itself never holds.
  const loop = isDeny ? any : any ? undefined : loopIn(node);
  const ofLoop = loop && headerOrElse(loop.list, types);
  if (ofLoop !== undefined && !isDeny)
    return {
      header: ofLoop,
      says: `this holds for a request without ${ofLoop}`,
      by: `(${quote(ofLoop)} in http.request.headers && ${printOperand(node)})`,
    };
  if (loop && ofLoop !== undefined) {
    const meant = positive(loop.condition);
    const isOne = isSingleValued(ofLoop) || !knownHeader(ofLoop);
    const by = `none(${printOperand(loop.list)}, ${meant && printExpression(meant)})`;
    const says = `a request without ${ofLoop} has no value that differs`;
    // People's browsers may leave it out, so a rule may well judge it only where it was sent.
    const row = LEFT_OUT.find(({ of, isIn }) => !isIn && of.includes(ofLoop));
    const advice = row && { fix: apart(ofLoop), severity: row.severity };
    return meant && isOne ? { header: ofLoop, says, by, ...advice } : undefined;
  }
  const header = headerNameIn(node, types)?.value ?? "";
  if (node.kind === "binary" && isDeny)
    return header === "User-Agent"
      ? {
          header,
          says: `scripts send ${header} without a value, too`,
          by: `${node.negated ? "none" : "any"}(http.request.headers[${quote(header)}] ?? [], # != '')`,
          requests: [{ headers: { [header]: [""] } }],
        }
      : undefined;
  if (node.kind === "binary" && /^Origin$|^Referer$/.test(header))
    return {
      header,
      says: `scripts leave ${header} out, too`,
      by: `${node.negated ? "!" : ""}true`,
      fix: "let requests without it in from apps alone, by sdk.platform",
      requests: [EMPTY],
    };
  const [of] = node.kind === "call" && node.name === "len" ? node.args : [];
  if (of && isDeny && types.get(of)?.kind === "headers")
    return {
      header,
      says: `the SDK of an app sends ${Object.keys(OF_LIBRARY).length} headers`,
      by: `(sdk.platform.is_browser ? ${printOperand(node)} : 12)`,
      fix: "test the platform, too",
      requests: [{ ...inSdk(OF_APPS[1]), headers: OF_LIBRARY }],
    };
  return node.kind === "coalesce"
    ? doubtOfDefault(node, isDeny, types)
    : undefined;
}

const apart = (header: string) =>
  `decide requests without ${header} by a condition of their own`;

/** A text behind `??` takes the place of a header that was not sent. */
function doubtOfDefault(
  { left, right }: NodeOf<"coalesce">,
  isDeny: boolean,
  types: Types,
): Doubt | undefined {
  const [list, text] =
    right.kind === "list"
      ? [left, right.elements[0]]
      : [left.kind === "member" ? left.object : left, right];
  const header = headerOf(list, types);
  if (header === undefined || text?.kind !== "string") return undefined;
  // The empty text in a deny rule is the plain way to deny requests without a header.
  if (isDeny && text.value === "") return undefined;
  return {
    header,
    says: `without ${header}, ${quote(text.value)} takes its place`,
    by: printOperand(left),
    fix: apart(header),
    requests: [EMPTY, IN_BROWSER, ...OF_APPS.map(inSdk)],
  };
}

/** Conditions that deny no request without a header, or let one in that a later rule would deny. */
function doubtful(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const { isDeny } = rule;
  const doubt = doubtOf(node, isDeny, rule.expression.types);
  const after = set.after(rule);
  const isOfUse = isDeny || (after && rule.rule.status === "enabled");
  if (!doubt || !isOfUse) return undefined;
  const { header, says, by, fix, requests } = doubt;
  // In a deny rule, advice is about what is denied, and an edit about what gets through.
  const isSeen = (each: RuleRequest) =>
    isDeny
      ? !requests || rule.isMatch(each) === (fix !== undefined)
      : rule.isMatch(each) && set.isPast(rule, each);
  const found = shown(
    rule,
    set,
    replacement(node, by),
    says,
    (around) => (requests ?? without(header)(around)).filter(isSeen),
    isDeny || requests || !after
      ? undefined
      : all(
          holdsFor(`${quote(header)} not in http.request.headers`),
          noneMatches(set.before(rule)),
          not(allows(after)),
        ),
  );
  return (
    found && {
      ...found,
      severity: doubt.severity ?? (requests && "note"),
      ...(fix && { fix, edits: undefined }),
    }
  );
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
  /** Where it is a mistake. Default: everywhere. */
  readonly isIn?: (node: Node, rule: LintedRule) => boolean;
  readonly severity?: Severity;
}[] = [
  {
    of: ["Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"],
    by: "Safari before 16.4 and pages without TLS do",
    userAgent: SAFARI.replace("17.5", "16.3"),
  },
  {
    of: ["Origin"],
    by: "apps do",
    userAgent: OF_APPS[0],
    isIn: (_, rule) =>
      !rule.isMatch(IN_BROWSER) || rule.nodes.some(({ node }) => asksAll(node)),
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
    userAgent: OF_APPS[2],
    severity: "note",
  },
  { of: ["Connection", "Keep-Alive"], by: "requests with HTTP/2 do" },
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

/** Headers that nobody asks for in order to keep out the clients that do not send them. */
const OF_ALLOWED =
  /^(?:Sec-Fetch-.*|Accept(?:-Language)?|X-Requested-With|Connection|Keep-Alive|Upgrade-.*)$/;

/** Whether a node asks for values, although it is true without any: `all()`, `!=`, or a guard within `!`. */
const asksAll = (node: Node) =>
  (node.kind === "quantifier" && node.name === "all") ||
  (node.kind === "binary" &&
    node.operator === "!=" &&
    node.left.kind === "call") ||
  (node.kind === "unary" && node.operand.kind === "logical");

type Types = LintedRule["expression"]["types"];

const OTHER_SECRET = {
  by: "clients with other credentials do",
  severity: "note",
} as const;

/** The headers in which a rule looks for secrets. Most clients send one of them. */
const secretsIn = onceFor(({ headers }: LintedRule) =>
  headers.filter((name) => OF_SECRETS.test(name)),
);

/** Rules that keep out clients which do not send a header, and would not if they sent it. */
function keepsOut(
  node: Node,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const { types } = rule.expression;
  const name = headerNameIn(node, types)?.value;
  if (name === undefined) return undefined;
  const secrets = secretsIn(rule);
  const others =
    secrets[0] === name ? secrets.filter((each) => each !== name) : [];
  const row =
    others.length > 0
      ? { ...OTHER_SECRET, of: [name] }
      : LEFT_OUT.find(({ of }) => of.includes(name));
  const { isDeny } = rule;
  const isOfAllowed = others.length > 0 || OF_ALLOWED.test(name);
  if (!row || !(isDeny || isOfAllowed)) return undefined;
  const isFirst = (each: Node) => headerNameIn(each, types)?.value === name;
  if (
    row.isIn?.(node, rule) === false ||
    (row.severity &&
      rule.nodes.find((each) => isFirst(each.node))?.node !== node)
  )
    return undefined;
  const { by, userAgent = CHROME, severity } = row;
  const isPage = /^Mozilla/.test(userAgent);
  const client = isPage ? IN_BROWSER : inSdk(userAgent);
  const sent = usual(
    ...others,
    ...SENT.filter((each) => !row.of.includes(each)).filter(
      (each) => isPage || !OF_PAGES.test(each),
    ),
  );
  const headers = { ...sent, "User-Agent": [userAgent] };
  const request = { ...client, headers, userAgent };
  const { values = ["?1"] } = knownHeader(name) ?? {};
  const compared = rule.comparisons.filter(({ part }) => part === name);
  const isOther = [...values, ...compared.flatMap(textsIn)].some(
    (value) =>
      rule.isMatch({ ...request, headers: { ...headers, [name]: [value] } }) !==
      isDeny,
  );
  const isKeptOut = isDeny
    ? rule.isMatch(request)
    : set.isReached(rule, request) &&
      firstMatching(set.enabled, request)?.isDeny;
  return isOther && isKeptOut
    ? {
        ...seenIn(request, rule, `${by} not send ${name}`),
        fix: `decide requests without ${name} by another part${isDeny ? ", or leave the condition out" : ""}`,
        span: node.span,
        severity,
      }
    : undefined;
}

/** Headers with their usual values. */
const usual = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, [plainTexts(name)[0] ?? "1"]]));

/** The headers that the library of an app sends (OkHttp). */
const OF_LIBRARY = usual(
  ...["Host", "User-Agent", "Accept-Encoding", "Connection"],
  ...["Content-Type", "Content-Length"],
);

/** Headers of a browser. */
const SENT = [
  ...["Accept", "Accept-Encoding", "Accept-Language", "Content-Type"],
  ...["Origin", "Referer", "Host", "Sec-Fetch-Site", "Sec-Fetch-Mode"],
];

/** Finds conditions that hold, or do not hold, for a request without a header, against what they seem to mean. */
export const findMissingHeader: FindInRule = (rule, set) => [
  ...rule.nodes.map(
    ({ node }) => doubtful(node, rule, set) ?? keepsOut(node, rule, set),
  ),
  ...rule.comparisons.map((each) => comparedAsText(each, rule, set)),
  withoutAnything(rule, set),
];

/** Rules that allow a request without anything, which a later rule would deny, because it lacks a text that they look for. */
function withoutAnything(rule: LintedRule, set: LintedSet) {
  const compared = rule.comparisons.find(
    (each) => each.field?.symbolic?.kind === "variable" && !finds(each, ""),
  );
  if (!compared || rule.isDeny || !rule.isMatch(EMPTY)) return undefined;
  if (!set.isPast(rule, EMPTY)) return undefined;
  const { node, subject, part } = compared;
  return shown(
    rule,
    set,
    replacement(node, `(${subject} != '' && ${printOperand(node)})`),
    `${part} is empty in a request that does not have it`,
    () => [EMPTY],
  );
}

/** Comparisons with a text that stands for a header that was not sent. */
function comparedAsText(
  comparison: TextComparison,
  rule: LintedRule,
  set: LintedSet,
) {
  const { part, field, text, operator, negated, node, list } = comparison;
  const isAsked =
    field === undefined && (operator === "==" || operator === "in");
  const isList = comparison.elementsOf !== undefined;
  if (!isAsked || (negated && !isList) || !isMissingHeader(part, text))
    return undefined;
  const { nodes } = rule;
  const within = nodes.find(
    (one) => loopOf(one.node, "any")?.condition === node,
  )?.node;
  const rest = list.filter((one) => !isMissingHeader(part, one)).map(quote);
  const others = `${comparison.subject} in [${rest.join(", ")}]`;
  const loop = within && loopOf(within, "any");
  const whole = loop ? `any(${printOperand(loop.list)}, ${others})` : others;
  const isMissing = `${quote(part)} ${negated ? "" : "not "}in http.request.headers`;
  const edit = replacement(
    within ?? node,
    rest.length === 0 ? isMissing : `(${isMissing} || ${whole})`,
  );
  const message = `a request without ${part} has no value, and so not ${quote(text)}`;
  return shown(rule, set, edit, message, without(part));
}
