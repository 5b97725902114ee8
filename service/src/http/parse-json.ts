import { AnswerError } from "./answer-error";

const NUL = /\\u0000/;

/** No record is nested as deep, and what goes through a value level by level has its end. */
const MOST_LEVELS = 500;

/**
 * Reads a body as JSON; an empty one is none. SQLite ends texts at U+0000, so
 * that is refused, and so is what is nested too deep.
 */
export function parseJson(
  text: string,
  done: (error: Error | null, body?: unknown) => void,
): void {
  if (text === "") return done(null, undefined);
  const refuse = (problem: string) =>
    done(new AnswerError("malformed_request", `The body ${problem}.`));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
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

/** Whether valid JSON has no more levels of arrays and objects than that. */
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
