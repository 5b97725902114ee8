/** One row of the table of request headers: a name as rules see it, and what clients send. */
export interface KnownHeader {
  readonly name: string;
  /** One sentence. */
  readonly doc: string;
  /** The values that clients send, where there are few. */
  readonly values?: readonly string[];
  /** Values that clients send, where there are many: a witness gets the first one that fits. */
  readonly plain?: readonly string[];
  /** Whether a request has one value of it at most (RFC 9110; Fetch standard; MDN). */
  readonly isSingle?: boolean;
  /** Whether browsers leave it out rather than send it without a value. */
  readonly isNeverEmpty?: boolean;
}

/**
 * Headers of requests that browsers, crawlers and proxies send. Lint, the solver's
 * witnesses, and completion and hover in editors read this table. Sources: HTTP field
 * name registry of IANA, RFC 9110, the Fetch standard, Fetch Metadata and Client Hints
 * of W3C, MDN.
 */
const ROWS: Readonly<Record<string, Omit<KnownHeader, "name">>> = {
  Accept: {
    doc: "Media types that the client takes, such as `text/html`.",
    plain: ["*/*"],
    isNeverEmpty: true,
  },
  "Accept-Charset": {
    doc: "Character sets that the client takes; browsers no longer send it.",
  },
  "Accept-Encoding": {
    doc: "Compressions that the client takes, such as `gzip, br`.",
    plain: ["gzip, deflate, br"],
    isNeverEmpty: true,
  },
  "Accept-Language": {
    doc: "Languages that the user prefers, such as `de-DE,de;q=0.9`.",
    plain: ["en-US,en;q=0.9", "de-DE,de;q=0.9", "fr-FR,fr;q=0.9"],
    isNeverEmpty: true,
  },
  "Access-Control-Request-Headers": {
    doc: "Headers that a page asks to send, before it does.",
  },
  "Access-Control-Request-Method": {
    doc: "Method that a page asks to send, before it does.",
  },
  Authorization: {
    doc: "Credentials of the client; never compare it with a literal secret.",
    isSingle: true,
    isNeverEmpty: true,
  },
  "Cache-Control": {
    doc: "What caches on the way may do.",
    plain: ["no-cache"],
  },
  "Cf-Connecting-Ip": {
    doc: "Address of the client, as Cloudflare saw it.",
    plain: ["203.0.113.10"],
  },
  Connection: { doc: "Whether the connection stays open." },
  "Content-Encoding": { doc: "Compression of the body." },
  "Content-Length": {
    doc: "Length of the body in bytes.",
    isSingle: true,
  },
  "Content-Type": {
    doc: "Media type of the body.",
    plain: ["text/plain"],
    isSingle: true,
  },
  Cookie: {
    doc: "Cookies of the site, `name=value` joined by `; `.",
    isNeverEmpty: true,
  },
  Date: { doc: "When the request was made.", isSingle: true },
  "Device-Memory": { doc: "Memory of the device in GiB, roughly." },
  Dnt: {
    doc: "`1` if the user does not want to be tracked.",
    values: ["0", "1"],
    isSingle: true,
  },
  Downlink: { doc: "Speed of the connection in Mbit/s, roughly." },
  Expect: {
    doc: "`100-continue` if the client waits before it sends the body.",
  },
  Forwarded: {
    doc: "What proxies have changed, with the client's address.",
    plain: ["for=203.0.113.10"],
  },
  From: {
    doc: "Mail address of whoever runs the client; crawlers send it.",
    isSingle: true,
  },
  Host: {
    doc: "Host and port that the request is sent to.",
    plain: ["shop.example"],
    isSingle: true,
    isNeverEmpty: true,
  },
  "If-Match": { doc: "Versions of the resource that the client has." },
  "If-Modified-Since": {
    doc: "When the copy of the client is from.",
    isSingle: true,
  },
  "If-None-Match": {
    doc: "Versions of the resource that the client has.",
  },
  "If-Range": {
    doc: "Version of which the client has a part.",
    isSingle: true,
  },
  "If-Unmodified-Since": {
    doc: "When the copy of the client is from.",
    isSingle: true,
  },
  "Keep-Alive": { doc: "How long the connection stays open." },
  "Max-Forwards": {
    doc: "How many proxies may pass the request on.",
    isSingle: true,
  },
  Origin: {
    doc: "Scheme, host and port of the page that sends the request, without a path, such as `https://shop.example`; or `null`.",
    values: ["null"],
    isSingle: true,
    isNeverEmpty: true,
  },
  Pragma: { doc: "`no-cache`, from clients of HTTP/1.0." },
  Priority: { doc: "How urgent the answer is." },
  "Proxy-Authorization": { doc: "Credentials for a proxy." },
  Range: {
    doc: "The part of the resource that is asked for.",
    isSingle: true,
  },
  Referer: {
    doc: "Address of the page that sends the request; often only its origin, with a slash at the end.",
    isSingle: true,
    isNeverEmpty: true,
  },
  "Save-Data": {
    doc: "`on` if the user wants to save data.",
    values: ["on"],
  },
  "Sec-Ch-Ua": {
    doc: "Brands and versions of a browser of the Chromium family.",
    plain: ['"Chromium";v="126", "Google Chrome";v="126"'],
    isNeverEmpty: true,
  },
  "Sec-Ch-Ua-Arch": {
    doc: "Architecture of the processor, in double quotes.",
    values: ['"x86"', '"arm"'],
  },
  "Sec-Ch-Ua-Bitness": {
    doc: "Bits of the architecture, in double quotes.",
    values: ['"64"', '"32"'],
  },
  "Sec-Ch-Ua-Form-Factors": {
    doc: "Kinds of devices, each in double quotes.",
  },
  "Sec-Ch-Ua-Full-Version": {
    doc: "Full version of the browser, in double quotes; newer browsers send `Sec-Ch-Ua-Full-Version-List`.",
  },
  "Sec-Ch-Ua-Full-Version-List": {
    doc: "Brands and full versions of the browser.",
  },
  "Sec-Ch-Ua-Mobile": {
    doc: "Whether the browser runs on a mobile device.",
    values: ["?0", "?1"],
    isSingle: true,
  },
  "Sec-Ch-Ua-Model": { doc: "Model of the device, in double quotes." },
  "Sec-Ch-Ua-Platform": {
    doc: "Operating system, in double quotes.",
    values: [
      ...['"Android"', '"Chrome OS"', '"Chromium OS"', '"Fuchsia"', '"iOS"'],
      ...['"Linux"', '"macOS"', '"Windows"', '"Unknown"'],
    ],
    isSingle: true,
  },
  "Sec-Ch-Ua-Platform-Version": {
    doc: "Version of the operating system, in double quotes.",
  },
  "Sec-Ch-Ua-Wow64": {
    doc: "Whether a browser of 32 bits runs on Windows of 64 bits.",
    values: ["?0", "?1"],
    isSingle: true,
  },
  "Sec-Fetch-Dest": {
    doc: "What the answer is for.",
    values: [
      ...["audio", "audioworklet", "document", "embed", "empty", "fencedframe"],
      ...["font", "frame", "iframe", "image", "json", "manifest", "object"],
      ...["paintworklet", "report", "script", "serviceworker", "sharedworker"],
      ...["style", "track", "video", "webidentity", "worker", "xslt"],
    ],
    isSingle: true,
  },
  "Sec-Fetch-Mode": {
    doc: "How the request is made.",
    values: ["cors", "navigate", "no-cors", "same-origin", "websocket"],
    isSingle: true,
  },
  "Sec-Fetch-Site": {
    doc: "How the page's site stands to that of the request.",
    values: ["cross-site", "same-origin", "same-site", "none"],
    isSingle: true,
  },
  "Sec-Fetch-User": {
    doc: "Sent if a user's act caused a navigation.",
    values: ["?1"],
    isSingle: true,
  },
  "Sec-Gpc": {
    doc: "Sent if the user does not want data to be sold or shared.",
    values: ["1"],
    isSingle: true,
  },
  "Sec-Purpose": { doc: "`prefetch` if the page is not shown yet." },
  Traceparent: { doc: "Trace that the request belongs to." },
  Tracestate: { doc: "What tracing systems add to a trace." },
  "True-Client-Ip": {
    doc: "Address of the client, as a proxy saw it.",
    plain: ["203.0.113.10"],
  },
  Upgrade: { doc: "Other protocol that the client asks for." },
  "Upgrade-Insecure-Requests": {
    doc: "`1` if the browser prefers HTTPS.",
    values: ["1"],
  },
  "User-Agent": {
    doc: "Name and version of the client; `http.user_agent.string` is the same text.",
    isSingle: true,
    isNeverEmpty: true,
  },
  "X-Forwarded-For": {
    doc: "Addresses of the client and of proxies; a client can send any text in it.",
    plain: ["203.0.113.10"],
  },
  "X-Forwarded-Host": {
    doc: "Host that the client asked a proxy for.",
    plain: ["shop.example"],
  },
  "X-Forwarded-Proto": {
    doc: "Scheme that the client asked a proxy with.",
    values: ["http", "https"],
  },
  "X-Real-Ip": {
    doc: "Address of the client, as a proxy saw it.",
    plain: ["203.0.113.10"],
  },
  "X-Requested-With": {
    doc: "`XMLHttpRequest` of some libraries, or the package name of an Android app around a web view.",
    plain: ["XMLHttpRequest"],
    isSingle: true,
  },
};

/** The rows of the table, in its order. */
export const KNOWN_HEADERS: readonly KnownHeader[] = Object.entries(ROWS).map(
  ([name, row]) => ({ name, ...row }),
);

const BY_NAME = new Map(KNOWN_HEADERS.map((row) => [row.name, row]));

/** The row of a header; undefined for one that is not in the table. */
export const knownHeader = (name: string): KnownHeader | undefined =>
  BY_NAME.get(name);

/** Whether a request has one value of a header at most. */
export const isSingleValued = (name: string): boolean =>
  knownHeader(name)?.isSingle === true;
