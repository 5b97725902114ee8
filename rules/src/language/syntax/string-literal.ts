import { wellFormed } from "./characters";

/** What a literal says and where it ends, or why it does not. */
export type ReadLiteral =
  | { readonly value: string; readonly end: number }
  | { readonly mistake: string; readonly at: number };

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};
const NUMERIC =
  /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})/y;
const OCTAL = /[0-3][0-7][0-7]/y;

/**
 * Reads a string in single or double quotes that begins at `start`. Escapes are
 * those of expr-lang: `\a \b \f \n \r \t \v \\`, the quote, `\101`, `\x41`,
 * `\u0041`, `\u{41}`, `\U00000041`. A line break ends it unterminated; a bare
 * carriage return stands for one.
 */
export function readQuoted(source: string, start: number): ReadLiteral {
  const quote = source[start];
  let value = "";
  /** From where the source stands for itself. */
  let from = start + 1;
  for (let index = from; ;) {
    const character = source[index];
    if (character === undefined || character === "\n")
      return { mistake: "this string is not terminated", at: start };
    if (character === quote)
      return {
        value: wellFormed(value + source.slice(from, index)),
        end: index + 1,
      };
    if (character !== "\\" && character !== "\r") {
      index++;
      continue;
    }
    const escape =
      character === "\r"
        ? { value: "\n", end: index + 1 }
        : readEscape(source, index + 1, quote);
    if (!escape)
      return { mistake: "this escape is not one of the language", at: index };
    value += source.slice(from, index) + escape.value;
    from = index = escape.end;
  }
}

function readEscape(source: string, at: number, quote: string | undefined) {
  const character = source[at];
  if (character === undefined) return undefined;
  const simple = character === quote ? quote : SIMPLE[character];
  if (simple !== undefined) return { value: simple, end: at + 1 };
  OCTAL.lastIndex = NUMERIC.lastIndex = at;
  const octal = OCTAL.exec(source);
  const numeric = octal ?? NUMERIC.exec(source);
  if (!numeric) return undefined;
  const code = octal
    ? parseInt(octal[0], 8)
    : parseInt(numeric.slice(1).find(Boolean) ?? "", 16);
  if (code > 0x10ffff) return undefined;
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  return {
    value: surrogate ? "\ufffd" : String.fromCodePoint(code),
    end: at + numeric[0].length,
  };
}

/** Reads a string in backticks, where only a doubled backtick is an escape. */
export function readRaw(source: string, start: number): ReadLiteral {
  let value = "";
  let index = start + 1;
  for (;;) {
    const end = source.indexOf("`", index);
    if (end < 0) return { mistake: "this string is not terminated", at: start };
    value += source.slice(index, end);
    if (source[end + 1] !== "`")
      return { value: wellFormed(value), end: end + 1 };
    value += "`";
    index = end + 2;
  }
}
