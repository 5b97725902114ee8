import type { Node, NodeOf, RuleRequest } from "../../language";
import { keepingResults } from "../../keeping-results";
import {
  canonicalHeaderName,
  findHeader,
  headerNameMistake,
} from "../../language/request/header-names";
import { printOperand, quote } from "../../language/syntax/print-expression";
import { KNOWN_HEADERS, knownHeader } from "../../language/tables/headers";
import { isName } from "../../language/text/characters";
import { all } from "../../solver/condition";
import { plainTexts } from "../../solver/realistic-texts";
import { nearest } from "../set/nearest";
import { replacement, type FindInRule, type Severity } from "../set/lint";
import { headerNameIn } from "../set/read-headers";
import { requestThatDiffers, seenIn } from "../set/prove";

const withoutSigns = (name: string) => name.toLowerCase().replace(/[-_]/g, "");
const BY_LETTERS = new Map(
  KNOWN_HEADERS.map(({ name }) => [withoutSigns(name), name]),
);
/** Shorter names are not taken for misspelt names. */
const SHORTEST = 5;
/** More letters than any known name has. */
const LONGEST = 40;

/**
 * The header whose name is misspelt. Undefined for a known name, and for a name that is
 * similar to none.
 */
const misspeltHeader = keepingResults(1_000, (name) =>
  knownHeader(name) ? undefined : likeHeader(name),
);

/**
 * The shortest name that begins and ends like a name of a browser's own headers, which
 * begin with `Sec-Ch-` and `Sec-Fetch-`.
 */
function ofSameFamily(name: string): string | undefined {
  const [, family, last] =
    /^(Sec-(?:Ch|Fetch)-)(?:.*-)?(\w+)$/.exec(name) ?? [];
  if (family === undefined || last === undefined) return undefined;
  return KNOWN_HEADERS.map((header) => header.name)
    .filter((one) => one.startsWith(family) && one.endsWith(`-${last}`))
    .sort((a, b) => a.length - b.length)[0];
}

function likeHeader(name: string): string | undefined {
  // CGI names a header HTTP_USER_AGENT.
  const letters = withoutSigns(name.replace(/^http[-_]/i, ""));
  const isOwn = /^(?:http[-_])?x[-_]/i.test(name);
  // A name with X- is never a misspelling of a name without X-, or the reverse.
  const isAlike = (known: string | undefined) =>
    known?.startsWith("X-") === isOwn;
  const near = () =>
    nearest(
      letters,
      [...BY_LETTERS.keys()].filter((each) => isAlike(BY_LETTERS.get(each))),
      letters.length > 8 ? 2 : 1,
    );
  const isShort = letters.length < SHORTEST || letters.length > LONGEST;
  const known =
    BY_LETTERS.get(letters) ??
    ofSameFamily(name) ??
    (isShort ? undefined : BY_LETTERS.get(near() ?? ""));
  return isAlike(known) ? known : undefined;
}

/** Names that nothing of a request takes the place of. */
const withNothing = (...lines: readonly string[]) =>
  lines
    .join(" ")
    .split(" ")
    .map((name) => [name, undefined] as const);

/**
 * Response headers, which no client sends, and the request header that is probably
 * meant.
 */
const OF_ANSWERS: ReadonlyMap<string, string | undefined> = new Map([
  ["Set-Cookie", "Cookie"],
  ["Access-Control-Allow-Origin", "Origin"],
  ["Access-Control-Allow-Headers", "Access-Control-Request-Headers"],
  ["Access-Control-Allow-Methods", "Access-Control-Request-Method"],
  ["Etag", "If-None-Match"],
  ["Last-Modified", "If-Modified-Since"],
  ["Referrer-Policy", "Referer"],
  ["Www-Authenticate", "Authorization"],
  ...withNothing(
    "Access-Control-Allow-Credentials Access-Control-Expose-Headers Location Server Vary",
    "Content-Security-Policy Permissions-Policy Strict-Transport-Security",
    "X-Content-Type-Options X-Frame-Options X-Powered-By",
  ),
]);

/** Variables in which a server tells a program about a request (RFC 3875, CGI). */
const OF_SERVERS =
  /^(?:Remote-(?:Addr|Host|Port|User)|Request-(?:Method|Uri|Scheme)|Query-String|Server-(?:Name|Port|Protocol)|Path-Info|Script-Name|Gateway-Interface)$/;

/** Why no request has a header, and what to read instead. */
interface WrongName {
  readonly message: string;
  /** The header that is probably meant. */
  readonly meant?: string;
  /** Default: to write what is meant. */
  readonly advice?: string;
  /** Default: that of the lint. */
  readonly severity?: Severity;
}

/** What is wrong with the name of a header; undefined if clients may send it. */
function wrongName(name: string): WrongName | undefined {
  const mistake = headerNameMistake(name);
  if (mistake) {
    const { message, meant } = mistake;
    // The name may be misspelt, too: both are corrected at once.
    return {
      message,
      meant: meant && (misspeltHeader(meant) ?? meant),
      advice: name.includes("://")
        ? `compare it with the values of a header: ${quote(name)} in http.request.headers['Origin']`
        : "write the name of a header, such as Origin",
    };
  }
  const canonical = canonicalHeaderName(name) ?? name;
  const severity = "warning";
  if (OF_SERVERS.test(canonical))
    return {
      severity,
      message: `${name} is a variable of CGI; no client sends it in a request`,
      advice: `test ${canonical === "Remote-Addr" ? "http.request.ip" : "a request header"}`,
    };
  if (OF_ANSWERS.has(canonical))
    return {
      severity,
      message: `${name} is a header of answers; no client sends it in a request`,
      meant: OF_ANSWERS.get(canonical),
      advice: "write the name of a request header",
    };
  const meant = misspeltHeader(canonical);
  return meant === undefined
    ? undefined
    : { severity, message: `no client is known to send ${name}`, meant };
}

/** The edit that gives a header another name. A name with a hyphen cannot follow a dot. */
function renamed(node: Node, name: NodeOf<"string">, to: string) {
  if (node.kind !== "member" || node.notation === "index")
    return replacement(name, quote(to));
  return isName(to)
    ? replacement(name, to, { ...name, value: to })
    : replacement(node, `${printOperand(node.object)}[${quote(to)}]`);
}

/** Requests with the values that a rule looks for under one name, and a usual value, under another. */
const sentAs =
  (name: string, meant: string) =>
  ({ headers, ...others }: RuleRequest): RuleRequest[] => {
    const { [name]: _, ...rest } = headers;
    const sought = findHeader(headers, name) ?? rest[meant] ?? [];
    return [...sought, ...plainTexts(meant)]
      .filter((value) => value !== "")
      .map((value) => ({ ...others, headers: { ...rest, [meant]: [value] } }));
  };

/** Finds names of headers that no request has. */
export const findHeaderNames: FindInRule = (rule, set) =>
  rule.nodes.map(({ node }) => {
    const { expression } = rule;
    const name = headerNameIn(node, expression.types);
    const wrong = name && wrongName(name.value);
    if (!wrong) return undefined;
    const { meant, message, severity, advice } = wrong;
    const fix = meant === undefined ? advice : `write ${meant}`;
    const finding = {
      ...{ message, severity, span: name.span, fix: fix ?? "correct it" },
    };
    if (meant === undefined) return finding;
    const edit = renamed(node, name, meant);
    const request = requestThatDiffers(
      rule,
      edit,
      set,
      sentAs(name.value, meant),
      all(),
    );
    const here = `${message}; here is a request with ${meant}`;
    return {
      ...finding,
      ...(request && seenIn(request, rule, here)),
      edits: [edit],
    };
  });
