import { isUtf8 } from "node:buffer";
import { AnswerError } from "./answer-error";

/**
 * Matches every JSON text that may contain U+0000, half of a surrogate pair or a name
 * `__proto__`, also as escapes, or a number that is too large.
 */
const MAY_BE_LOST = /\\u(?:00|[dD][89a-fA-F])|__proto__|e\+?\d{3}|\d{309}/i;

/**
 * No record is nested as deeply, and a bound protects code that walks through a
 * value level by level.
 */
const MOST_LEVELS = 500;

/** Receives the parsed body, or the error. */
export type JsonDone = (error: Error | null, body?: unknown) => void;

/**
 * Parses a body as JSON; an empty body is undefined. It refuses what could not
 * be kept as it was sent (docs/assumptions.md, A96): bytes that are not UTF-8,
 * U+0000, at which SQLite would end a text, half of a surrogate pair, which UTF-8 cannot
 * hold, a member `__proto__`, which is no member once it is assigned, and a number such as
 * `1e400`, which would become null. It also refuses JSON that is nested too deeply.
 */
export function parseJson(bytes: Buffer, done: JsonDone): void {
  if (bytes.length === 0) return done(null, undefined);
  const refuse = (problem: string) =>
    done(new AnswerError("malformed_request", `The body ${problem}.`));
  if (!isUtf8(bytes)) return refuse("is not UTF-8");
  const text = bytes.toString();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold a key.
    return refuse("is not valid JSON");
  }
  // A level takes two characters.
  const isChecked = text.length > 2 * MOST_LEVELS || MAY_BE_LOST.test(text);
  const problem = isChecked ? whatIsLost(body) : undefined;
  if (problem !== undefined) return refuse(problem);
  done(null, body);
}

function textIsLost(text: string): string | undefined {
  if (text.includes("\0"))
    return "holds the character U+0000, which cannot be stored";
  return /\p{Surrogate}/u.test(text)
    ? "contains half of a surrogate pair, which is not a character and cannot be stored"
    : undefined;
}

/**
 * Describes the part of a value that cannot be stored, or that it has too many levels;
 * undefined if everything can be stored. `level` is the number of arrays and objects
 * around the value.
 */
function whatIsLost(value: unknown, level = 0): string | undefined {
  if (typeof value === "string") return textIsLost(value);
  if (value === Infinity || value === -Infinity)
    return "has a number that is too large to be stored";
  if (typeof value !== "object" || value === null) return undefined;
  if (level >= MOST_LEVELS)
    return `is nested deeper than ${MOST_LEVELS} levels`;
  for (const [name, member] of Object.entries(value)) {
    if (name === "__proto__")
      return "has a member named __proto__, which cannot be stored";
    const problem = textIsLost(name) ?? whatIsLost(member, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
