import { maskUrls, REDACTED, parseUrl } from "../address";

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
    const found: string[] = [];
    for (const secret of this.#secrets)
      if (text.includes(secret)) found.push(secret);
    let clean = text;
    // One secret may begin with another, and a comma in a key ends a credential of a header.
    for (const secret of found.sort((a, b) => b.length - a.length))
      clean = clean.replaceAll(secret, REDACTED);
    clean = clean.replace(
      CREDENTIALS,
      (all, scheme: string, value: string, at: number) =>
        scheme.toLowerCase() === "basic" &&
        WORD.test(value) &&
        !HEADER.test(clean.slice(Math.max(0, at - 40), at))
          ? all
          : `${scheme} ${REDACTED}`,
    );
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

/** The secret texts in members of an object: every text in them, but only parts of `url`. */
export function secretsOf(
  object: Readonly<Record<string, unknown>>,
  members: readonly string[],
): string[] {
  return members.flatMap((name) => {
    const texts = textsIn(object[name]);
    return name === "url" ? texts.flatMap(secretsOfUrl) : texts;
  });
}

/** Every text in a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** A shorter user name or query value counts as an ordinary word and not as a secret. */
const SHORTEST_TOKEN = 8;

/** The secret parts of a URL, each as it is written and percent-decoded. */
function secretsOfUrl(text: string): string[] {
  const url = parseUrl(text);
  if (!url) return [];
  const written = text.slice(text.indexOf("?") + 1).split("#")[0] ?? "";
  return [
    url.password,
    decoded(url.password),
    url.password && `${url.username}:${url.password}`,
    url.search.slice(1),
    url.search && written,
    ...[url.username, ...url.searchParams.values()].filter(
      (part) => part.length >= SHORTEST_TOKEN,
    ),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
