/** One row of the table of request headers: a name as rules see it, and what clients send. */
export interface KnownHeader {
  readonly name: string;
  /** One sentence. */
  readonly doc: string;
  /** The values that clients send, where there are few. */
  readonly values?: readonly string[];
}

/**
 * Headers that rules often ask about, for completion and hover in editors. Sources: RFC
 * 9110, the Fetch standard, Fetch Metadata and Client Hints of W3C.
 */
export const KNOWN_HEADERS: readonly KnownHeader[] = [
  {
    name: "Accept",
    doc: "Media types that the client takes, such as `text/html`.",
  },
  {
    name: "Accept-Encoding",
    doc: "Compressions that the client takes, such as `gzip, br`.",
  },
  {
    name: "Accept-Language",
    doc: "Languages that the user prefers, such as `de-DE,de;q=0.9`.",
  },
  {
    name: "Authorization",
    doc: "Credentials of the client; never compare it with a literal secret.",
  },
  { name: "Cookie", doc: "Cookies of the site, `name=value` joined by `; `." },
  {
    name: "Dnt",
    doc: "`1` if the user does not want to be tracked.",
    values: ["0", "1"],
  },
  {
    name: "Forwarded",
    doc: "What proxies have changed, with the client's address.",
  },
  { name: "Host", doc: "Host and port that the request is sent to." },
  {
    name: "Origin",
    doc: "Scheme, host and port of the page that sends the request, without a path, such as `https://shop.example`; or `null`.",
    values: ["null"],
  },
  {
    name: "Referer",
    doc: "Address of the page that sends the request; often only its origin, with a slash at the end.",
  },
  {
    name: "Sec-Ch-Ua",
    doc: "Brands and versions of a browser of the Chromium family.",
  },
  {
    name: "Sec-Ch-Ua-Mobile",
    doc: "Whether the browser runs on a mobile device.",
    values: ["?0", "?1"],
  },
  {
    name: "Sec-Ch-Ua-Platform",
    doc: "Operating system, in double quotes.",
    values: [
      '"Android"',
      '"Chrome OS"',
      '"iOS"',
      '"Linux"',
      '"macOS"',
      '"Windows"',
    ],
  },
  {
    name: "Sec-Fetch-Dest",
    doc: "What the answer is for.",
    values: [
      "document",
      "empty",
      "iframe",
      "image",
      "script",
      "style",
      "worker",
    ],
  },
  {
    name: "Sec-Fetch-Mode",
    doc: "How the request is made.",
    values: ["cors", "navigate", "no-cors", "same-origin", "websocket"],
  },
  {
    name: "Sec-Fetch-Site",
    doc: "How the page's site stands to that of the request.",
    values: ["cross-site", "none", "same-origin", "same-site"],
  },
  {
    name: "Sec-Fetch-User",
    doc: "Sent if a user's act caused a navigation.",
    values: ["?1"],
  },
  {
    name: "Sec-Gpc",
    doc: "Sent if the user does not want data to be sold or shared.",
    values: ["1"],
  },
  {
    name: "User-Agent",
    doc: "Name and version of the client; `http.user_agent.string` is the same text.",
  },
  {
    name: "X-Forwarded-For",
    doc: "Addresses of the client and of proxies; a client can send any text in it.",
  },
  { name: "X-Forwarded-Host", doc: "Host that the client asked a proxy for." },
  {
    name: "X-Forwarded-Proto",
    doc: "Scheme that the client asked a proxy with.",
    values: ["http", "https"],
  },
  {
    name: "X-Requested-With",
    doc: "`XMLHttpRequest` of some libraries, or the package name of an Android app around a web view.",
  },
];
