import { AnswerError } from "./answer-error";

const NUL = /\\u0000/;

/** Reads a body as JSON; an empty one is none. SQLite ends texts at U+0000, so that is refused. */
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
