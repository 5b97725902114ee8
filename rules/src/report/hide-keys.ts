/**
 * Matches texts that look like a secret key: 32 letters and digits, with at
 * least one small letter, one capital and one digit. No source says how long a
 * key is (docs/assumptions.md, A91). A hexadecimal digest or a UUID does not
 * match.
 */
export const KEY_PATTERN =
  "(?<![A-Za-z0-9])(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])";

/**
 * Replaces the secrets that it knows in a text, as `client.redact` and
 * `Redactor` do.
 */
export type Redact = (text: string) => string;

/**
 * Redacts the secrets that `redact` knows, and everything that looks like a
 * key.
 */
export function withoutKeys(text: string, redact: Redact): string {
  return redact(text).replaceAll(new RegExp(KEY_PATTERN, "g"), "[redacted]");
}

/**
 * Copies a report, which is plain data, and applies `withoutKeys` to each text.
 * Values and IDs of past events lose only the secrets that `redact` knows,
 * because a customer's own ID may look like a key.
 */
export function hideKeys<T>(report: T, redact: Redact): T {
  return hidden(report, (text) => withoutKeys(text, redact), redact) as T;
}

/** The members of an impact that hold values and IDs of past events. */
const OF_EVENTS = ["top", "examples"];

function hidden(value: unknown, hide: Redact, redact: Redact): unknown {
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value))
    return value.map((item) => hidden(item, hide, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      hide(name),
      hidden(member, OF_EVENTS.includes(name) ? redact : hide, redact),
    ]),
  );
}
