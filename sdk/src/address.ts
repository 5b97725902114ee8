/** Whether a host name or an address is this machine. An IPv6 address may have brackets. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}

/** The text in place of a secret. */
export const REDACTED = "[redacted]";

/**
 * A URL in a text: its scheme with the slashes, and the rest up to a blank, a quote, an
 * angle bracket or, in JSON, an escaped quote or line break. URL parsers accept any number
 * of slashes and backslashes after http and https. Where a path holds another URL, the
 * other one is a match of its own.
 */
const NEXT = String.raw`\\(?!\\*[nrt"])|[^\s"<>${"`"}\\]`;
const START = String.raw`https?:[\\/]*|[a-z][a-z0-9+.-]{0,30}:\\?/\\?/`;
const PLAIN = new RegExp(
  String.raw`(${START})((?:(?!\?|https?:[\\/]{2})(?:${NEXT}))*(?:\?(?:${NEXT})*)?)`,
  "gi",
);

/** A URL that was percent-encoded once or several times. */
const ENCODED = new RegExp(
  String.raw`(https?%(?:25)*3a|[a-z][a-z0-9+.-]{0,30}%(?:25)*3a(?=(?:[\\/]|%(?:25)*(?:2f|5c)){2}))(?:${NEXT})+`,
  "gi",
);
const OPENING = /["'([{]/;
// Looking back, a search tries a long row of such characters once, and not from each of them.
const PUNCTUATION = /(?<![.,;:!])[.,;:!]*$/;
const CLOSING = /(?<!["')\]}.,;:!])["')\]}.,;:!]*$/;

/**
 * Masks the parts of each URL in a text that may be secret, the user-info and the
 * query: `https://[redacted]@host/path?[redacted]`. Of a percent-encoded URL only the
 * scheme stays. If a URL cannot be parsed, more is masked rather than less. All other text
 * stays, also the punctuation behind a URL.
 */
export function maskUrls(text: string): string {
  return text
    .replace(
      PLAIN,
      (_, start: string, rest: string, at: number, all: string) => {
        const isEnclosed = OPENING.test(all[at - 1] ?? "");
        let end = rest.search(isEnclosed ? CLOSING : PUNCTUATION);
        // A mask of an earlier call stays.
        if (rest.slice(0, end + 1).endsWith(REDACTED)) end += 1;
        return start + maskParts(rest.slice(0, end)) + rest.slice(end);
      },
    )
    .replace(ENCODED, `$1${REDACTED}`);
}

/** Masks the parts of a URL behind its scheme. */
function maskParts(rest: string): string {
  const authority = rest.split(/[\\/?#]/, 1).join();
  // What is neither a port nor an IPv6 address is a password: one that was not encoded
  // may hold a slash or a question mark, or the text ends within it.
  const isCut = /^[^[@]*:[^\d@]/.test(authority) && !authority.includes("@");
  const at = (isCut ? rest : authority).lastIndexOf("@");
  const user = at === -1 && isCut ? authority.length : Math.max(at, 0);
  const shown = rest.slice(user);
  const query = shown.indexOf("?") + 1 || shown.length;
  return (
    (user > 0 ? REDACTED : "") +
    shown.slice(0, query) +
    (query < shown.length ? REDACTED : "")
  );
}

/**
 * The address that a text is; undefined if it is none. In Node 20 and 22, `URL.canParse`
 * takes a host such as `é.example` for none once V8 has optimized the call.
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Masks an address for a message. The whole text must be the address. An address that
 * is neither http nor https is left out, because any part of it may be secret.
 */
export function maskUrl(url: string): string {
  const parsed = parseUrl(url);
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:")
    return "at an address that is neither http nor https";
  // White space and quotes would end the URL in a text. The parser has dropped or
  // encoded them in `href`, except two of them in a query.
  return maskUrls(
    /[\s"<>`\\]/.test(url)
      ? parsed.href.replaceAll(/[`\\]/g, encodeURIComponent)
      : url,
  );
}

/** The web origin of an event: its `origin`, otherwise the origin of its `url`. */
export function originOf({
  origin,
  url,
}: {
  readonly origin?: unknown;
  readonly url?: string | null | undefined;
}): string | undefined {
  if (typeof origin === "string") return origin;
  return url && /^https?:/i.test(url) ? parseUrl(url)?.origin : undefined;
}
