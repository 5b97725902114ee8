import { isSpace, isWordCode } from "./characters";
import { ExpressionSyntaxError, notSupported, type Span } from "./problem";
import { readQuoted, readRaw } from "./string-literal";

/** The smallest part of an expression that means something. */
export interface Token extends Span {
  readonly kind:
    "name" | "number" | "string" | "operator" | "bracket" | "comment" | "end";
  /** As written; what it says, for a string. */
  readonly text: string;
}

const WORD_OPERATORS = new Set(
  "not in or and matches contains startsWith endsWith let if else".split(" "),
);
const SPECIAL: Readonly<Record<string, string>> = {
  "|": "|",
  ":": ":",
  "?": ".?",
  ".": ".",
  "#": "#",
};
const NUMBER = /(?:0[xX][0-9a-fA-F_]*|0[oO][0-7_]*|0[bB][01_]*|[0-9_]*)/y;

/**
 * Splits a source into tokens, comments among them, an `end` last.
 * @throws ExpressionSyntaxError
 */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const add = (kind: Token["kind"], end: number, text?: string) => {
    tokens.push({
      kind,
      text: text ?? source.slice(at, end),
      offset: at,
      length: end - at,
    });
    at = end;
  };
  while (at < source.length) {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
    const next = source[at + 1] ?? "";
    if (isSpace(character)) at++;
    else if (character === "/" && (next === "/" || next === "*"))
      add("comment", endOfComment(source, at));
    else if (character === "'" || character === '"' || character === "`") {
      const read = (character === "`" ? readRaw : readQuoted)(source, at);
      if ("mistake" in read)
        throw new ExpressionSyntaxError(read.mistake, {
          offset: read.at,
          length: 1,
        });
      add("string", read.end, read.value);
    } else if (/^[bB]['"]/.test(character + next))
      throw new ExpressionSyntaxError(notSupported("a literal of bytes"), {
        offset: at,
        length: 2,
      });
    else if (isDigit(character) || (character === "." && isDigit(next)))
      add("number", endOfNumber(source, at));
    else if ("()[]{}".includes(character)) add("bracket", at + 1);
    else if (",;%+-^/".includes(character)) add("operator", at + 1);
    else if ("&!=*<>".includes(character))
      add("operator", at + (next && "&=*".includes(next) ? 2 : 1));
    else if (SPECIAL[character] !== undefined) {
      const isPointer = character === "#";
      add("operator", at + (next && SPECIAL[character].includes(next) ? 2 : 1));
      const end = endOfWord(source, at);
      // What is glued to a pointer is its name, even where it spells an operator.
      if (isPointer && end > at) add("name", end);
    } else if (isWordCode(source.codePointAt(at) ?? 0)) {
      const end = endOfWord(source, at);
      const isOperator = WORD_OPERATORS.has(source.slice(at, end));
      add(isOperator ? "operator" : "name", end);
    } else
      throw new ExpressionSyntaxError(
        `the character ${JSON.stringify(character)} means nothing here`,
        { offset: at, length: character.length },
      );
  }
  add("end", at);
  return tokens;
}

const isDigit = (text: string) => text >= "0" && text <= "9";

function endOfWord(source: string, start: number): number {
  let end = start;
  while (end < source.length) {
    const code = source.codePointAt(end) ?? 0;
    if (!isWordCode(code)) break;
    end += code > 0xffff ? 2 : 1;
  }
  return end;
}

function endOfComment(source: string, start: number): number {
  if (source[start + 1] === "/") {
    const end = source.indexOf("\n", start);
    return end < 0 ? source.length : end;
  }
  const end = source.indexOf("*/", start + 2);
  if (end < 0)
    throw new ExpressionSyntaxError("this comment is not closed", {
      offset: start,
      length: 2,
    });
  return end + 2;
}

/** expr-lang's own scan; what it lets through is judged when the number is read. */
function endOfNumber(source: string, start: number): number {
  NUMBER.lastIndex = start;
  const whole = NUMBER.exec(source)?.[0] ?? "";
  const digits = digitsOf(whole);
  let end = start + whole.length;
  const run = () => {
    while (end < source.length && digits.test(source[end] ?? "")) end++;
  };
  if (source[end] === "." && source[end + 1] !== ".") {
    end++;
    // `.0x1` is scanned as one number, and refused as such.
    run();
  }
  if (/^[eE]$/.test(source[end] ?? "")) {
    end++;
    if (/^[+-]$/.test(source[end] ?? "")) end++;
    run();
  }
  const wordEnd = endOfWord(source, end);
  if (wordEnd > end)
    throw new ExpressionSyntaxError(
      `${source.slice(start, wordEnd)} is not a number`,
      { offset: start, length: wordEnd - start },
    );
  return end;
}

function digitsOf(whole: string): RegExp {
  if (/^0x/i.test(whole)) return /[0-9a-fA-F_]/;
  if (/^0o/i.test(whole)) return /[0-7_]/;
  return /^0b/i.test(whole) ? /[01_]/ : /[0-9_]/;
}
