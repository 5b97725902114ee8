/** What stands where a secret stood. */
export const REDACTED = "[redacted]";

/**
 * Takes secrets out of text. It knows the configured keys and every token that
 * passed through the client, and the shape of an Authorization header.
 */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Remembers secrets; anything shorter than 4 characters would redact ordinary words. */
  add(...secrets: readonly (string | null | undefined)[]): void {
    for (const secret of secrets)
      if (secret && secret.length >= 4) this.#secrets.add(secret);
  }

  /** The text without any secret that is known. */
  redact(text: string): string {
    let clean = text.replace(
      /\b(Bearer|Basic)\s+[^\s"'\\,]+/gi,
      `$1 ${REDACTED}`,
    );
    // Longest first: one secret may begin with another.
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length))
      clean = clean.replaceAll(secret, REDACTED);
    return clean;
  }
}
