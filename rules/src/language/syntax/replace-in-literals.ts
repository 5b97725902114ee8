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
  // Once from left to right, so that nothing is replaced in what was just written.
  const replaced = (text: string): string => {
    const [plain, ...others] = text.split(from);
    const inPattern = (part: string) =>
      part.replaceAll(escaped(from), () => escaped(to));
    return [plain ?? "", ...others].map(inPattern).join(to);
  };
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
      const after = replaced(value);
      return after === value
        ? text
        : text.slice(0, offset) + quote(after) + text.slice(offset + length);
    }, source);
}
