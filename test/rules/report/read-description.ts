import type { RuleRequest } from "../../../rules/src";

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;

/**
 * The request that a description describes, read like a person reads it: a value that
 * is not mentioned has its default, and the bot flags follow from the user agent.
 */
export function readDescription(description: string): RuleRequest {
  const headers: Record<string, string[]> = {};
  const rest: Record<string, unknown> = {};
  const part = new RegExp(
    [
      String.raw`header (?<name>${TEXT}|[^\s",]+) (?:without a value|(?<values>${TEXT}(?:, ${TEXT})*))`,
      String.raw`ip (?<ip>[0-9a-f:.]+)`,
      String.raw`(?<field>[a-zA-Z]+) (?<text>${TEXT})`,
      String.raw`(?<flag>is\w+) (?<value>true|false)`,
    ].join("|"),
    "y",
  );
  if (description === "an empty request") return { headers };
  for (let at = 0; at < description.length; at += ", ".length) {
    part.lastIndex = at;
    const { groups } = part.exec(description) ?? {};
    if (!groups) throw new Error(`cannot read ${description.slice(at)}`);
    const { name, values, ip, field, text, flag, value } = groups;
    if (name !== undefined)
      headers[name.startsWith('"') ? unquoted(name) : name] = [
        ...(values ?? "").matchAll(new RegExp(TEXT, "g")),
      ].map(([quoted]) => unquoted(quoted));
    else if (ip !== undefined) rest.ip = ip;
    else if (field !== undefined) rest[field] = unquoted(text ?? "");
    else if (flag !== undefined) rest[flag] = value === "true";
    at = part.lastIndex;
    const isEnd = at === description.length;
    if (!isEnd && !description.startsWith(", ", at))
      throw new Error(`cannot read ${description.slice(at)}`);
  }
  return { headers, ...rest };
}

/** The value of a JSON string that may also contain `\u{202e}`. */
function unquoted(text: string): string {
  const plain = text.replace(
    /\\(?:u\{([0-9a-f]+)\}|.)/gsu,
    (all, code: string | undefined) =>
      code === undefined
        ? all
        : JSON.stringify(String.fromCodePoint(parseInt(code, 16))).slice(1, -1),
  );
  return JSON.parse(plain) as string;
}
