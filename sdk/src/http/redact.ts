/** Anything shorter would redact ordinary words. */
const SHORTEST_SECRET = 4;

/**
 * Takes secrets out of text: the configured keys, every secret that passed
 * through the client, what looks like an Authorization header, and the parts of
 * a URL that may be secret.
 */
export class Redactor {
  readonly #secrets = new Set<string>();

  /**
   * Remembers secrets of 4 characters and more, also in their percent-encoded and
   * JSON-escaped forms.
   */
  add(...secrets: readonly (string | null | undefined)[]): void {
    for (const secret of secrets)
      if (secret && secret.length >= SHORTEST_SECRET)
        this.#secrets
          .add(secret)
          .add(encodeURIComponent(Buffer.from(secret).toString()))
          .add(JSON.stringify(secret).slice(1, -1));
  }

  /** The text without the known secrets, and with URLs masked by `maskUrls`. */
  redact(text: string): string {
    let clean = text.replace(
      CREDENTIALS,
      (all, scheme: string, value: string, at: number) =>
        scheme.toLowerCase() === "basic" &&
        WORD.test(value) &&
        !HEADER.test(text.slice(Math.max(0, at - 40), at))
          ? all
          : `${scheme} ${REDACTED}`,
    );
    const found: string[] = [];
    for (const secret of this.#secrets)
      if (clean.includes(secret)) found.push(secret);
    // One secret may begin with another.
    for (const secret of found.sort((a, b) => b.length - a.length))
      clean = clean.replaceAll(secret, REDACTED);
    return maskUrls(clean);
  }
}

/** A scheme of HTTP authentication, and what follows it. */
const CREDENTIALS = /\b(Bearer|Basic)\s+([^\s"'\\,]+)/gi;

/**
 * An ordinary word, as in "Basic tier.". Encoded credentials have digits, signs or
 * inner capitals.
 */
const WORD = /^\p{L}\p{Ll}*[.:;!?)\]]*$/u;

/** What stands before the value of an Authorization header, in a header or in JSON. */
const HEADER = /authorization\\*["']?\s*[:=]\s*\\*["']?$/i;

/** The text in place of a secret. */
export const REDACTED = "[redacted]";

/**
 * `util.inspect` and `console.log` call the method with this name to get an object's
 * text.
 */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** A key that does not appear when its owner is printed, copied or serialised. */
export class Credential {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** The key itself, for the header of a request. */
  reveal(): string {
    return this.#key;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [INSPECT](): string {
    return REDACTED;
  }
}

/**
 * An object that prints and serialises with `REDACTED` in place of these members. The
 * members keep their values, and a copy of the object prints them.
 */
export function hiding<T extends object>(
  object: T,
  names: readonly (keyof T & string)[],
): T {
  const shown = () => ({
    ...object,
    ...Object.fromEntries(
      names
        .filter((name) => object[name] !== undefined)
        .map((name) => [name, REDACTED]),
    ),
  });
  return Object.defineProperties(object, {
    toJSON: { value: shown },
    [INSPECT]: { value: shown },
  });
}

/**
 * What a URL in a text may hold: everything up to a blank, a quote, an angle
 * bracket or, in JSON, an escaped quote or line break.
 */
const REST = String.raw`(?:\\(?!\\*[nrt"])|[^\s"<>${"`"}\\])*`;

const NAME = "[a-z][a-z0-9+.-]{0,30}";
const SLASH = String.raw`(?:[\\/]|%(?:25)*(?:2f|5c))`;

/** How a URL begins. URL parsers accept any number of slashes and backslashes after http and https. */
const START = String.raw`(?:https?:[\\/]*|${NAME}:\\?/\\?/)`;

/** The beginning of a URL that was percent-encoded once or several times. */
const ENCODED_START = `(?:https?%(?:25)*3a${SLASH}*|${NAME}%(?:25)*3a${SLASH}{2,})`;
const PLAIN = new RegExp(START + REST, "gi");
const ENCODED = new RegExp(ENCODED_START + REST, "gi");
const STARTS = new RegExp(START, "gi");
const OPENING = /["'([{]/;
const PUNCTUATION = /[.,;:!]*$/;
const CLOSING = /["')\]}.,;:!]*$/;

/**
 * Masks the parts of each URL in a text that may be secret, the user-info and the
 * query: `https://[redacted]@host/path?[redacted]`. A URL may stand in quotes, in
 * brackets, in JSON, in the path of another URL, or percent-encoded. If a URL cannot be
 * parsed, more is masked rather than less. All other text stays, also the punctuation
 * behind a URL.
 */
export function maskUrls(text: string): string {
  return text
    .replace(PLAIN, (url, at: number, all: string) =>
      withoutTail(url, all[at - 1] ?? "", maskPlain),
    )
    .replace(ENCODED, (url, at: number, all: string) =>
      withoutTail(url, all[at - 1] ?? "", maskEncoded),
    );
}

/**
 * Masks an address for a message. The whole text must be the address. An address that
 * is neither http nor https is left out, because any part of it may be secret.
 */
export function maskUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:")
    return "at an address that is neither http nor https";
  // White space and quotes would end the URL in a text. The parser has dropped or
  // encoded them in `href`.
  return maskUrls(/[\s"<>`\\]/.test(url) ? parsed.href : url);
}

/** Masks a URL and keeps the punctuation and the brackets of the sentence around it. */
function withoutTail(
  url: string,
  before: string,
  mask: (url: string) => string,
): string {
  const tail = OPENING.test(before) ? CLOSING : PUNCTUATION;
  let end = url.search(tail);
  // A mask of an earlier call stays.
  if (url.slice(0, end + 1).endsWith(REDACTED)) end += 1;
  return mask(url.slice(0, end)) + url.slice(end);
}

function maskPlain(url: string): string {
  let masked = "";
  let from = 0;
  // The path of a URL may hold another URL.
  for (const { 0: start, index } of url.matchAll(STARTS)) {
    const question = url.indexOf("?", from);
    if (question !== -1 && question < index) break;
    const authority = index + start.length;
    const end = index < from ? 0 : userInfoEnd(url.slice(index), start.length);
    if (end === 0) continue;
    masked += url.slice(from, authority) + REDACTED;
    from = index + end;
  }
  const query = url.indexOf("?", from) + 1;
  const hasQuery = query > 0 && query < url.length;
  return (
    masked + (hasQuery ? url.slice(from, query) + REDACTED : url.slice(from))
  );
}

/** Where the user-info of a URL ends; 0 where the URL has none. Its authority begins at `from`. */
function userInfoEnd(url: string, from: number): number {
  const length = url.slice(from).search(/[\\/?#]/);
  const authority = length === -1 ? url : url.slice(0, from + length);
  const isUrl = URL.canParse(authority);
  // A password that was not encoded may hold a slash or a question mark.
  const at = (isUrl ? authority : url).lastIndexOf("@");
  if (at >= from) return at > from ? at : 0;
  // The text may end within a user-info.
  const isCut = !isUrl && /:[^\d]/.test(authority.slice(from));
  return isCut ? authority.length : 0;
}

function maskEncoded(url: string): string {
  // An encoded URL ends where the next parameter of the query around it begins.
  const isWhole = /^[^%]*%(?:25)*3a%/i.test(url);
  const next = isWhole ? url.indexOf("&") : -1;
  const own = next === -1 ? url : url.slice(0, next);
  const escapes = new Set(own.match(/%(?:25)*(?=3a)/gi));
  const masked = [...escapes].reduce(maskEscaped, own);
  return masked + url.slice(own.length);
}

/**
 * Masks the parts of a URL that were percent-encoded several times. `escape` is the
 * encoded form of `%`: `%25` after two encodings.
 */
function maskEscaped(url: string, escape: string): string {
  const end = String.raw`[\\/?#]|${escape}(?:2f|5c|3f|23)`;
  const at = `(?:@|${escape}40)`;
  const inUser = `(?:(?!${end}).)`;
  const user = new RegExp(
    `(${NAME}${escape}3a${SLASH}*)${inUser}+?(${at})(?!${inUser}*${at})`,
    "gis",
  );
  const query = new RegExp(String.raw`(\?|${escape}3f).+$`, "is");
  return url.replace(user, `$1${REDACTED}$2`).replace(query, `$1${REDACTED}`);
}
