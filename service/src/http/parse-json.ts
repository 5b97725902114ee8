import { AnswerError } from "./answer-error";

const NUL = /\\u0000/;

/**
 * No record is nested as deeply, and a bound protects code that walks through a
 * value level by level.
 */
const MOST_LEVELS = 500;

/** Takes the outcome of parsing a body. */
export type JsonDone = (error: Error | null, body?: unknown) => void;

/**
 * Parses a body as JSON; an empty body is undefined. It refuses U+0000, at
 * which SQLite would end a text, and JSON that is nested too deeply.
 */
export function parseJson(text: string, done: JsonDone): void {
  if (text === "") return done(null, undefined);
  const refuse = (problem: string) =>
    done(new AnswerError("malformed_request", `The body ${problem}.`));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold a key.
    return refuse("is not valid JSON");
  }
  if (!nestsAtMost(MOST_LEVELS, text))
    return refuse(`is nested deeper than ${MOST_LEVELS} levels`);
  if (NUL.test(text) && holdsNul(body))
    return refuse("holds the character U+0000, which cannot be stored");
  done(null, body);
}

function holdsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, member]) => key.includes("\0") || holdsNul(member),
  );
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
