import { operatorWords } from "../tables/lookup";
import { FOREIGN_WORDS } from "../tables/operators";
import { spelledHere } from "../tables/other-spellings";
import { isSpace, isWordCode, wellFormed } from "../text/characters";
import { ExpressionSyntaxError, notSupported, type Span } from "./problem";

/** Longest source of an expression, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 100_000;

/** Most nodes of one expression, counted as expr-lang counts them. The number is its default. */
export const MAX_NODES = 10_000;

/** Most levels of nesting. Brackets, calls, prefix operators and branches of a condition are levels. */
export const MAX_LEVELS = 1_000;

/** One word, sign, literal or comment of a source, or its end. */
export interface Token extends Span {
  readonly kind:
    | "name"
    | "number"
    | "string"
    | "operator"
    | "bracket"
    | "comment"
    | "end";
  /** The text as written; for a string, its value. */
  readonly text: string;
}

const WORD_OPERATORS: ReadonlySet<string> = new Set([
  ...operatorWords,
  ...FOREIGN_WORDS,
]);
const SPECIAL: Readonly<Record<string, string>> = {
  "|": "|",
  ":": ":",
  "?": ".?",
  ".": ".",
  "#": "#",
};
/** A number whose whole part has a prefix and digits; further digits are of the same base. */
const number = (prefix: string, digit: string) =>
  `${prefix}${digit}*(?:\\.(?!\\.)${digit}*)?(?:[eE][+-]?${digit}*)?`;
const NUMBER = new RegExp(
  [
    number("0[xX]", "[0-9a-fA-F_]"),
    number("0[oO]", "[0-7_]"),
    number("0[bB]", "[01_]"),
    number("", "[0-9_]"),
  ].join("|"),
  "y",
);

/**
 * Splits a source into tokens. Comments are tokens, and the last one is `end`.
 * @throws ExpressionSyntaxError
 */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const add = (
    kind: Token["kind"],
    end: number,
    text = source.slice(at, end),
  ) => {
    tokens.push({ kind, text, offset: at, length: end - at });
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
      if ("mistake" in read) throw refusal(read.mistake, read.at, 1);
      add("string", read.end, read.value);
    } else if (/^[bB]['"]/.test(character + next))
      throw refusal(notSupported("a literal of bytes"), at, 2);
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
      // A word directly behind `#` is a name, even if it spells an operator.
      if (isPointer && end > at) add("name", end);
    } else if (isWordCode(source.codePointAt(at) ?? 0)) {
      const end = endOfWord(source, at);
      const isOperator = WORD_OPERATORS.has(source.slice(at, end));
      add(isOperator ? "operator" : "name", end);
    } else
      throw refusal(
        `the character ${JSON.stringify(character)} means nothing here`,
        at,
        character.length,
      );
  }
  add("end", at);
  return tokens;
}

const refusal = (message: string, offset: number, length: number) =>
  new ExpressionSyntaxError(message, { offset, length });

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
  if (end < 0) throw refusal("this comment is not closed", start, 2);
  return end + 2;
}

/**
 * The end of a number, as the lexer of expr-lang finds it. `readNumber` decides whether
 * the number is valid.
 */
function endOfNumber(source: string, start: number): number {
  NUMBER.lastIndex = start;
  const end = start + (NUMBER.exec(source)?.[0].length ?? 0);
  const wordEnd = endOfWord(source, end);
  const word = source.slice(start, wordEnd);
  if (wordEnd > end)
    throw refusal(`${word} is not a number`, start, word.length);
  return end;
}

/** Reads the tokens of a source one by one, and holds the expression to its limits. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #index = 0;
  #nodes = 0;
  /** The level of nesting. Entering the expression itself brings it to 0. */
  #level = -1;

  /** @throws ExpressionSyntaxError */
  constructor(source: string) {
    if (source.length > MAX_SOURCE_LENGTH)
      throw refusal(
        `an expression has at most ${MAX_SOURCE_LENGTH} characters, and this one has ${source.length}: write it as several rules`,
        0,
        0,
      );
    this.#tokens = tokensOf(source).filter(({ kind }) => kind !== "comment");
  }

  get current(): Token {
    return this.#at(this.#index);
  }

  /** Where the token before the current one ends. */
  get end(): number {
    const { offset, length } = this.#at(Math.max(0, this.#index - 1));
    return offset + length;
  }

  /** Goes on to the next token. @returns the token that was current */
  take(): Token {
    const token = this.current;
    if (token.kind !== "end") this.#index++;
    return token;
  }

  /** The token behind the current one. */
  peek(): Token {
    return this.#at(this.#index + 1);
  }

  /** Whether the current token is this operator or bracket. */
  is(text: string): boolean {
    const { kind, text: current } = this.current;
    return (kind === "operator" || kind === "bracket") && current === text;
  }

  /** Takes the token if it is this operator or bracket. */
  accept(text: string): boolean {
    const isIt = this.is(text);
    if (isIt) this.#index++;
    return isIt;
  }

  /**
   * Takes this operator or bracket. @throws ExpressionSyntaxError for any other token
   */
  expect(text: string): void {
    if (!this.accept(text)) this.unexpected(`${text} is expected`);
  }

  /** @throws ExpressionSyntaxError always: the current token cannot stand here */
  unexpected(expected: string): never {
    const token = this.current;
    const found =
      token.kind === "end"
        ? "the expression ends"
        : token.kind === "string"
          ? "a string stands"
          : `${JSON.stringify(token.text)} stands`;
    throw new ExpressionSyntaxError(
      `${expected}, but ${found} here${token.kind === "string" ? "" : spelledHere(token.text)}`,
      token,
    );
  }

  /** Adds to the number of nodes. @throws ExpressionSyntaxError if there are too many */
  count(nodes: number, span: Span): void {
    this.#nodes += nodes;
    if (this.#nodes > MAX_NODES)
      throw new ExpressionSyntaxError(
        `an expression has at most ${MAX_NODES} names, values, operators and calls together: write it as several rules`,
        span,
      );
  }

  /** Enters deeper levels of nesting. @throws ExpressionSyntaxError if there are too many */
  enter(levels = 1): void {
    this.#level += levels;
    if (this.#level > MAX_LEVELS)
      throw new ExpressionSyntaxError(
        `an expression has at most ${MAX_LEVELS} levels of nesting`,
        this.current,
      );
  }

  /** Leaves levels of nesting. */
  leave(levels = 1): void {
    this.#level -= levels;
  }

  #at(index: number): Token {
    const token = this.#tokens[Math.min(index, this.#tokens.length - 1)];
    if (!token) throw new RangeError("no tokens");
    return token;
  }
}

/** The value of a string literal and where it ends, or the mistake in it and its place. */
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
 * Reads a string in single or double quotes that begins at `start`. The escapes
 * are those of expr-lang: `\a \b \f \n \r \t \v \\`, the quote, `\101`, `\x41`,
 * `\u0041`, `\u{41}`, `\U00000041`. A line feed within the quotes is a mistake, and
 * a carriage return becomes a line feed.
 */
export function readQuoted(source: string, start: number): ReadLiteral {
  const quote = source[start];
  let value = "";
  /** The start of the text without escapes that is not copied yet. */
  let from = start + 1;
  for (let index = from; ;) {
    const character = source[index];
    if (character === undefined || character === "\n")
      return { mistake: "this string is not terminated", at: start };
    if (character === quote) {
      value += source.slice(from, index);
      return { value: wellFormed(value), end: index + 1 };
    }
    if (character !== "\\" && character !== "\r") {
      index++;
      continue;
    }
    const escape =
      character === "\r"
        ? { value: "\n", end: index + 1 }
        : readEscape(source, index + 1, quote);
    if (!escape)
      return {
        mistake:
          "this escape is not one of the language; for one backslash, write two",
        at: index,
      };
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

/** Reads a string in backticks. Its only escape is a doubled backtick. */
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

/** The value of a number literal, or the mistake in it. */
export type ReadNumber =
  | { readonly integer: bigint }
  | { readonly float: number }
  | { readonly mistake: string };

const MAX_INTEGER = 2n ** 63n - 1n;
const PREFIXED = /^0(?:x[0-9a-f]+|o[0-7]+|b[01]+)$/i;
const FLOAT = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;

/**
 * Reads the text of a number token: an integer of 64 bits (decimal, `0x`, `0o` or
 * `0b`), or a float with or without an exponent. Underscores may stand anywhere
 * among the digits.
 */
export function readNumber(token: string): ReadNumber {
  const text = token.replaceAll("_", "");
  const isPrefixed = PREFIXED.test(text);
  if (isPrefixed || /^[0-9]+$/.test(text)) {
    const integer = BigInt(isPrefixed ? text.toLowerCase() : text);
    return integer > MAX_INTEGER
      ? { mistake: `${token} does not fit in 64 bits` }
      : { integer };
  }
  if (!FLOAT.test(text)) return { mistake: `${token} is not a number` };
  const float = Number(text);
  return Number.isFinite(float)
    ? { float }
    : { mistake: `${token} is too large` };
}
