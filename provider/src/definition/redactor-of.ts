import { parseUrl } from "@devid/sdk/errors";
import { maskUrl, maskUrls, Redactor } from "@devid/sdk";
import { DenyWith, RuleAction, Status } from "@devid/sdk/wire";
import { isRecord, type Values } from "./value";

/** Removes every text of the named values from messages. */
export function redactorOf(
  all: readonly Values[],
  names: ReadonlySet<string>,
): (text: string) => string {
  const secrets = all
    .flatMap((values) => Object.entries(values))
    .filter(([name]) => names.has(name));
  if (secrets.length === 0) return (text) => text;
  let redactor: Redactor | undefined;
  return (text) =>
    (redactor ??= knowing(secrets.map(([, value]) => value))).redact(text);
}

/** Members of a rule with few possible values. Messages need these words, and no word among them is a secret. */
const CHOICES = new Map<string, readonly string[]>([
  ["action", RuleAction.options],
  ["status", Status.options],
  ["denyWith", DenyWith.options],
]);

/**
 * A redactor that knows every text within the values except the choices of rules, and the
 * names of records, such as the names of rules in a state.
 */
function knowing(values: readonly unknown[]): Redactor {
  const redactor = new Redactor();
  JSON.stringify(values, function (this: unknown, name, value: unknown) {
    if (typeof value === "string" && !CHOICES.get(name)?.includes(value))
      redactor.add(value, ...shownOf(value));
    if (isRecord(value) && !Array.isArray(this)) redactor.add(name);
    return value;
  });
  return redactor;
}

/** What messages show of an address whose user-info and query they mask: host and path, and the host alone. */
function shownOf(text: string): string[] {
  const parsed = /^https?:/i.test(text) ? parseUrl(text) : undefined;
  if (!parsed) return [];
  return [text, parsed.href, maskUrl(text), maskUrls(text)].flatMap((url) => {
    const [, authority = "", path = "", fragment = ""] =
      /^https?:[\\/]*([^\\/?#]*)([^?#]*)([^?]*)/i.exec(url) ?? [];
    const host = authority.slice(authority.lastIndexOf("@") + 1);
    return [url, host + path + fragment, host + path, host];
  });
}
