import * as z from "zod";

/**
 * An enumeration in an answer of the service. The type names the documented values. A
 * value that the service adds later is kept and does not fail the read.
 */
export function openEnum<const V extends readonly [string, ...string[]]>(
  values: V,
) {
  const text: unknown = z.string();
  const other = text as z.ZodType<string & Record<never, never>>;
  return z.union([z.enum(values), other], "must be a text");
}

/**
 * Messages for refused input in plain words. They replace zod's messages about types;
 * zod's other messages stay. No message shows the input, because it may be secret. Pass
 * this function as `error` to a parse call.
 */
export const issueMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is required"
        : `must be ${NOUNS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.input === undefined
        ? "is required"
        : `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.minimum === 1 && issue.origin !== "number"
        ? "must not be empty"
        : bound(issue, issue.inclusive ? "at least" : "above", issue.minimum);
    case "too_big":
      return bound(issue, issue.inclusive ? "at most" : "below", issue.maximum);
    case "unrecognized_keys":
      return `${issue.keys.join(", ")} ${issue.keys.length === 1 ? "is" : "are"} not known`;
    default:
      return undefined;
  }
};

/** The names of zod's types in messages. */
const NOUNS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function bound(
  { origin }: { readonly origin: string },
  words: string,
  limit: number | bigint,
): string {
  if (origin === "string") return `must have ${words} ${limit} characters`;
  if (origin === "array")
    return `must have ${words} ${limit} ${limit === 1 ? "item" : "items"}`;
  return `must be ${words} ${limit}`;
}
