/** A request header: a name as rules see it, and what clients send. */
export interface KnownHeader {
  readonly name: string;
  /** One sentence. */
  readonly doc: string;
  /** The values that clients send, where there are few. */
  readonly values?: readonly string[];
  /** Values that clients send, where there are many: a witness gets the first one that fits. */
  readonly plain?: readonly string[];
  /** Whether browsers leave it out rather than send it without a value. */
  readonly isNeverEmpty: boolean;
}

type Texts = Readonly<Record<string, readonly string[]>>;

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Headers of requests that browsers, crawlers and proxies send. Lint, the solver's
 * witnesses, and completion and hover in editors read this table and those below. Sources:
 * HTTP field name registry of IANA, RFC 9110, the Fetch standard, Fetch Metadata and
 * Client Hints of W3C, MDN.
 */
const DOCS: Readonly<Record<string, string>> = {
  Accept: "Media types that the client takes, such as `text/html`.",
  "Accept-Charset":
    "Character sets that the client takes; browsers no longer send it.",
  "Accept-Encoding": "Compressions that the client takes, such as `gzip, br`.",
  "Accept-Language":
    "Languages that the user prefers, such as `de-DE,de;q=0.9`.",
  "Access-Control-Request-Headers":
    "Headers that a page asks to send, before it does.",
  "Access-Control-Request-Method":
    "Method that a page asks to send, before it does.",
  Authorization:
    "Credentials of the client; never compare it with a literal secret.",
  "Cache-Control": "What caches on the way may do.",
  "Cf-Connecting-Ip": "Address of the client, as Cloudflare saw it.",
  Connection: "Whether the connection stays open.",
  "Content-Encoding": "Compression of the body.",
  "Content-Length": "Length of the body in bytes.",
  "Content-Type": "Media type of the body.",
  Cookie: "Cookies of the site, `name=value` joined by `; `.",
  Date: "When the request was made.",
  "Device-Memory": "Memory of the device in GiB, roughly.",
  Dnt: "`1` if the user does not want to be tracked.",
  Downlink: "Speed of the connection in Mbit/s, roughly.",
  Expect: "`100-continue` if the client waits before it sends the body.",
  Forwarded: "What proxies have changed, with the client's address.",
  From: "Mail address of whoever runs the client; crawlers send it.",
  Host: "Host and port that the request is sent to.",
  "If-Match": "Versions of the resource that the client has.",
  "If-Modified-Since": "When the copy of the client is from.",
  "If-None-Match": "Versions of the resource that the client has.",
  "If-Range": "Version of which the client has a part.",
  "If-Unmodified-Since": "When the copy of the client is from.",
  "Keep-Alive": "How long the connection stays open.",
  "Max-Forwards": "How many proxies may pass the request on.",
  Origin:
    "Scheme, host and port of the page that sends the request, without a path, such as `https://shop.example`; or `null`.",
  Pragma: "`no-cache`, from clients of HTTP/1.0.",
  Priority: "How urgent the answer is.",
  "Proxy-Authorization": "Credentials for a proxy.",
  Range: "The part of the resource that is asked for.",
  Referer:
    "Address of the page that sends the request; often only its origin, with a slash at the end.",
  "Save-Data": "`on` if the user wants to save data.",
  "Sec-Ch-Ua": "Brands and versions of a browser of the Chromium family.",
  "Sec-Ch-Ua-Arch": "Architecture of the processor, in double quotes.",
  "Sec-Ch-Ua-Bitness": "Bits of the architecture, in double quotes.",
  "Sec-Ch-Ua-Form-Factors": "Kinds of devices, each in double quotes.",
  "Sec-Ch-Ua-Full-Version":
    "Full version of the browser, in double quotes; newer browsers send `Sec-Ch-Ua-Full-Version-List`.",
  "Sec-Ch-Ua-Full-Version-List": "Brands and full versions of the browser.",
  "Sec-Ch-Ua-Mobile": "Whether the browser runs on a mobile device.",
  "Sec-Ch-Ua-Model": "Model of the device, in double quotes.",
  "Sec-Ch-Ua-Platform": "Operating system, in double quotes.",
  "Sec-Ch-Ua-Platform-Version":
    "Version of the operating system, in double quotes.",
  "Sec-Ch-Ua-Wow64": "Whether a browser of 32 bits runs on Windows of 64 bits.",
  "Sec-Fetch-Dest": "What the answer is for.",
  "Sec-Fetch-Mode": "How the request is made.",
  "Sec-Fetch-Site": "How the page's site stands to that of the request.",
  "Sec-Fetch-User": "Sent if a user's act caused a navigation.",
  "Sec-Gpc": "Sent if the user does not want data to be sold or shared.",
  "Sec-Purpose": "`prefetch` if the page is not shown yet.",
  Traceparent: "Trace that the request belongs to.",
  Tracestate: "What tracing systems add to a trace.",
  "True-Client-Ip": "Address of the client, as a proxy saw it.",
  Upgrade: "Other protocol that the client asks for.",
  "Upgrade-Insecure-Requests": "`1` if the browser prefers HTTPS.",
  "User-Agent":
    "Name and version of the client; `http.user_agent.string` is the same text.",
  "X-Forwarded-For":
    "Addresses of the client and of proxies; a client can send any text in it.",
  "X-Forwarded-Host": "Host that the client asked a proxy for.",
  "X-Forwarded-Proto": "Scheme that the client asked a proxy with.",
  "X-Real-Ip": "Address of the client, as a proxy saw it.",
  "X-Requested-With":
    "`XMLHttpRequest` of some libraries, or the package name of an Android app around a web view.",
};

/** Of headers with few values, all that clients send. */
const VALUES: Texts = {
  Dnt: ["0", "1"],
  Origin: ["null"],
  "Save-Data": ["on"],
  "Sec-Ch-Ua-Arch": ['"x86"', '"arm"'],
  "Sec-Ch-Ua-Bitness": ['"64"', '"32"'],
  "Sec-Ch-Ua-Mobile": ["?0", "?1"],
  "Sec-Ch-Ua-Platform": [
    ...['"Android"', '"Chrome OS"', '"Chromium OS"', '"Fuchsia"', '"iOS"'],
    ...['"Linux"', '"macOS"', '"Windows"', '"Unknown"'],
  ],
  "Sec-Ch-Ua-Wow64": ["?0", "?1"],
  "Sec-Fetch-Dest": words(`
    audio audioworklet document embed empty fencedframe font frame iframe image
    json manifest object paintworklet report script serviceworker sharedworker
    style track video webidentity worker xslt
  `),
  "Sec-Fetch-Mode": ["cors", "navigate", "no-cors", "same-origin", "websocket"],
  "Sec-Fetch-Site": ["cross-site", "same-origin", "same-site", "none"],
  "Sec-Fetch-User": ["?1"],
  "Sec-Gpc": ["1"],
  "Upgrade-Insecure-Requests": ["1"],
  "X-Forwarded-Proto": ["http", "https"],
};

/** Of headers with many values, some that clients send. */
const PLAIN: Texts = {
  Accept: ["*/*"],
  "Accept-Encoding": ["gzip, deflate, br"],
  "Accept-Language": ["en-US,en;q=0.9", "de-DE,de;q=0.9", "fr-FR,fr;q=0.9"],
  "Cache-Control": ["no-cache"],
  "Cf-Connecting-Ip": ["203.0.113.10"],
  "Content-Type": ["text/plain"],
  Forwarded: ["for=203.0.113.10"],
  Host: ["shop.example"],
  "Sec-Ch-Ua": ['"Chromium";v="126", "Google Chrome";v="126"'],
  "True-Client-Ip": ["203.0.113.10"],
  "X-Forwarded-For": ["203.0.113.10"],
  "X-Forwarded-Host": ["shop.example"],
  "X-Real-Ip": ["203.0.113.10"],
  "X-Requested-With": ["XMLHttpRequest"],
};

/** Headers of which a request has one value at most (RFC 9110; Fetch standard; MDN). */
const SINGLE = new Set(
  words(`
  Authorization Content-Length Content-Type Date Dnt From Host
  If-Modified-Since If-Range If-Unmodified-Since Max-Forwards Origin Range
  Referer Sec-Ch-Ua-Mobile Sec-Ch-Ua-Platform Sec-Ch-Ua-Wow64
  Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-Fetch-User Sec-Gpc
  User-Agent X-Requested-With
`),
);

/** Headers that browsers leave out rather than send them without a value. */
const NEVER_EMPTY = new Set(
  words(`
  Accept Accept-Encoding Accept-Language Authorization Cookie Host Origin
  Referer Sec-Ch-Ua User-Agent
`),
);

/** The headers, in the order of the table. */
export const KNOWN_HEADERS: readonly KnownHeader[] = Object.entries(DOCS).map(
  ([name, doc]) => ({
    ...{ name, doc },
    ...(VALUES[name] && { values: VALUES[name] }),
    ...(PLAIN[name] && { plain: PLAIN[name] }),
    isNeverEmpty: NEVER_EMPTY.has(name),
  }),
);

const BY_NAME = new Map(KNOWN_HEADERS.map((row) => [row.name, row]));

/** The row of a header; undefined for one that is not in the table. */
export const knownHeader = (name: string): KnownHeader | undefined =>
  BY_NAME.get(name);

/** Whether a request has one value of a header at most. */
export const isSingleValued = (name: string): boolean => SINGLE.has(name);
