import { tokensOf } from "./lexer";
import { quote } from "./print-expression";

/**
 * Replaces `from` by `to` in the texts of an expression; in a pattern also where its
 * dots are written `\.`. All other characters stay. An expression that does not parse
 * is returned unchanged.
 */
export function replaceInLiterals(
  source: string,
  from: string,
  to: string,
): string {
  const escaped = (text: string) => text.replaceAll(".", "\\.");
  let tokens;
  try {
    tokens = tokensOf(source);
  } catch {
    return source;
  }
  return tokens
    .filter(({ kind }) => kind === "string")
    .toReversed()
    .reduce((text, { text: value, offset, length }) => {
      const after = value
        .replaceAll(from, () => to)
        .replaceAll(escaped(from), () => escaped(to));
      return after === value
        ? text
        : text.slice(0, offset) + quote(after) + text.slice(offset + length);
    }, source);
}
