import { keepingResults } from "../../keeping-results";
import { KNOWN_HEADERS, knownHeader } from "../../language/tables/headers";
import { nearest } from "../set/nearest";

const withoutSigns = (name: string) => name.toLowerCase().replace(/[-_]/g, "");
const BY_LETTERS = new Map(
  KNOWN_HEADERS.map(({ name }) => [withoutSigns(name), name]),
);
/** Names that begin with X-, and other names, are compared separately. */
const lettersOf = (isOwn: boolean) =>
  [...BY_LETTERS]
    .filter(([, name]) => name.startsWith("X-") === isOwn)
    .map(([letters]) => letters);
const OWN_LETTERS = lettersOf(true);
const LETTERS = lettersOf(false);

/** Shorter names are not taken for misspelt names. */
const SHORTEST = 5;
/** More letters than any known name has. */
const LONGEST = 40;

/**
 * The header whose name is misspelt. Undefined for a known name, and for a name that is
 * similar to none.
 */
export const misspeltHeader = keepingResults(1_000, (name) =>
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
  const known =
    BY_LETTERS.get(letters) ??
    ofSameFamily(name) ??
    (letters.length < SHORTEST || letters.length > LONGEST
      ? undefined
      : BY_LETTERS.get(
          nearest(
            letters,
            isOwn ? OWN_LETTERS : LETTERS,
            letters.length > 8 ? 2 : 1,
          ) ?? "",
        ));
  // A name with X- is never a misspelling of a name without X-, or the reverse.
  return known?.startsWith("X-") === isOwn ? known : undefined;
}

/**
 * Response headers, which no client sends, and the request header that is probably
 * meant.
 */
const OF_ANSWERS: ReadonlyMap<string, string | undefined> = new Map([
  ["Set-Cookie", "Cookie"],
  ["Access-Control-Allow-Origin", "Origin"],
  ["Access-Control-Allow-Headers", "Access-Control-Request-Headers"],
  ["Access-Control-Allow-Methods", "Access-Control-Request-Method"],
  ["Access-Control-Allow-Credentials", undefined],
  ["Access-Control-Expose-Headers", undefined],
  ["Content-Security-Policy", undefined],
  ["Etag", "If-None-Match"],
  ["Last-Modified", "If-Modified-Since"],
  ["Location", undefined],
  ["Permissions-Policy", undefined],
  ["Referrer-Policy", "Referer"],
  ["Server", undefined],
  ["Strict-Transport-Security", undefined],
  ["Vary", undefined],
  ["Www-Authenticate", "Authorization"],
  ["X-Content-Type-Options", undefined],
  ["X-Frame-Options", undefined],
  ["X-Powered-By", undefined],
]);

/**
 * Variables in which a server tells a program about a request (RFC 3875, CGI), with what
 * a rule has instead.
 */
const OF_SERVERS: ReadonlyMap<string, string | undefined> = new Map([
  ["Remote-Addr", "http.request.ip"],
  ...[
    ...["Remote-Host", "Remote-Port", "Remote-User"],
    ...["Request-Method", "Request-Uri", "Request-Scheme", "Query-String"],
    ...["Server-Name", "Server-Port", "Server-Protocol", "Path-Info"],
    ...["Script-Name", "Gateway-Interface"],
  ].map((name) => [name, undefined] as const),
]);

/** Why no client sends a header, and what to read instead. */
interface NotSent {
  readonly why: string;
  /** The request header that is probably meant. */
  readonly meant?: string;
  /** The field that has the value. */
  readonly field?: string;
}

/** Undefined if clients may send the header. */
export function headerNotSent(name: string): NotSent | undefined {
  if (OF_SERVERS.has(name))
    return { why: "is a variable of CGI", field: OF_SERVERS.get(name) };
  return OF_ANSWERS.has(name)
    ? { why: "is a header of answers", meant: OF_ANSWERS.get(name) }
    : undefined;
}
