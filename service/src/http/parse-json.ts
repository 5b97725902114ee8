import { isUtf8 } from "node:buffer";
import { AnswerError } from "./answer-error";

/**
 * Matches every JSON text that may contain U+0000, half of a surrogate pair or a name
 * `__proto__`, also as escapes.
 */
const MAY_BE_LOST = /\\u(?:00|[dD][89a-fA-F])|__proto__/;

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
 * hold, and a member `__proto__`, which is no member once it is assigned. It also refuses JSON that is nested too deeply.
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
  if (text.length > 2 * MOST_LEVELS && !nestsAtMost(MOST_LEVELS, text))
    return refuse(`is nested deeper than ${MOST_LEVELS} levels`);
  const problem = MAY_BE_LOST.test(text) ? whatIsLost(body) : undefined;
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
 * Describes the part of a value that cannot be stored; undefined if everything can be
 * stored.
 */
function whatIsLost(value: unknown): string | undefined {
  if (typeof value === "string") return textIsLost(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === "__proto__")
      return "has a member named __proto__, which cannot be stored";
    const problem = whatIsLost(name) ?? whatIsLost(member);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x5b, 0x5d, 0x7b, 0x7d,
];

/**
 * Whether a valid JSON text nests arrays and objects in at most that many
 * levels.
 */
function nestsAtMost(levels: number, json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (isInText) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > levels) return false;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
  }
  return true;
}
