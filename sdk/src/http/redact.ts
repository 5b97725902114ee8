import { maskUrls, REDACTED } from "./mask-urls";

/** Anything shorter would redact ordinary words. */
const SHORTEST_SECRET = 4;

/**
 * Takes secrets out of text. It knows the configured keys and every secret that
 * passed through the client, the shape of an Authorization header, and what of
 * a URL may be secret.
 */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Remembers secrets of 4 characters and more, percent-encoded and in JSON, too. */
  add(...secrets: readonly (string | null | undefined)[]): void {
    for (const secret of secrets)
      if (secret && secret.length >= SHORTEST_SECRET)
        this.#secrets
          .add(secret)
          .add(encodeURIComponent(Buffer.from(secret).toString()))
          .add(JSON.stringify(secret).slice(1, -1));
  }

  /** The text without any secret that is known, and with every URL masked as `maskUrls` does. */
  redact(text: string): string {
    let clean = text.replace(
      /\b(Bearer|Basic)\s+[^\s"'\\,]+/gi,
      `$1 ${REDACTED}`,
    );
    // Longest first: one secret may begin with another.
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length))
      clean = clean.replaceAll(secret, REDACTED);
    return maskUrls(clean);
  }
}
