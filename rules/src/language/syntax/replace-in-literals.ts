import { tokensOf } from "./lexer";
import { quote } from "./print-expression";

/**
 * An expression whose texts have `to` wherever they had `from`; in a pattern, where a
 * dot is written `\.`, too. Everything else stays as it is, down to the blanks. An
 * expression that cannot be read stays as it is.
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
