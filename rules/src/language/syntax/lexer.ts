import { operatorWords } from "../tables/lookup";
import { FOREIGN_WORDS } from "../tables/operators";
import { spelledHere } from "../tables/other-spellings";
import { characterOf, SPACE, wellFormed, WORD } from "../text/characters";
import type { NodeForm } from "./ast";
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

/** A number whose whole part has a prefix and digits; further digits are of the same base. */
const number = (prefix: string, digit: string) =>
  String.raw`${prefix}${digit}*(?:\.(?!\.)${digit}*)?(?:[eE][+-]?${digit}*)?`;

const WORD_HERE = new RegExp(`${WORD}+`, "uy");

/** What may stand at a place of a source; the first that fits counts. */
const LEXEMES = [
  ["space", new RegExp(`${SPACE}+`, "y")],
  ["word", new RegExp(`(?![0-9]|[bB]['"])${WORD}+`, "uy")],
  [
    "operator",
    /[,;%+^-]|\/(?![*/])|[&!=*<>][&=*]?|\|\|?|::?|\?[.?]?|\.(?![0-9])\.?/y,
  ],
  ["bracket", /[()[\]{}]/y],
  ["string", /['"`]/y],
  ["comment", /\/\/[^\n]*|\/\*[^]*?\*\//y],
  [
    "number",
    new RegExp(
      [
        number("0[xX]", "[0-9a-fA-F_]"),
        number("0[oO]", "[0-7_]"),
        number("0[bB]", "[01_]"),
        number(String.raw`(?=\.?[0-9])`, "[0-9_]"),
      ].join("|"),
      "y",
    ),
  ],
  ["pointer", /##?/y],
] as const;

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
    const [kind, { lastIndex: end }] =
      LEXEMES.find(([, here]) => isAt(here, source, at)) ??
      refuseCharacter(source, at);
    switch (kind) {
      case "space":
        at = end;
        break;
      case "word": {
        const isOperator = WORD_OPERATORS.has(source.slice(at, end));
        add(isOperator ? "operator" : "name", end);
        break;
      }
      case "string":
        add(kind, ...readString(source, at));
        break;
      case "number":
        if (isAt(WORD_HERE, source, end)) {
          const written = source.slice(at, WORD_HERE.lastIndex);
          throw refusal(`${written} is not a number`, at, written.length);
        }
        add(kind, end);
        break;
      case "pointer":
        add("operator", end);
        // A word directly behind `#` is a name, even if it spells an operator.
        if (isAt(WORD_HERE, source, end)) add("name", WORD_HERE.lastIndex);
        break;
      default:
        add(kind, end);
    }
  }
  add("end", at);
  return tokens;
}

/** Whether a pattern matches at a place. Its `lastIndex` is then behind what it matches. */
function isAt(pattern: RegExp, source: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(source);
}

/** @throws ExpressionSyntaxError always: nothing of the language begins at this place */
function refuseCharacter(source: string, at: number): never {
  if (source.startsWith("/*", at))
    throw refusal("this comment is not closed", at, 2);
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  throw /[bB]/.test(character)
    ? refusal(notSupported("a literal of bytes"), at, 2)
    : refusal(
        `the character ${JSON.stringify(character)} means nothing here`,
        at,
        character.length,
      );
}

const refusal = (message: string, offset: number, length: number) =>
  new ExpressionSyntaxError(message, { offset, length });

/** What stands between quotes of each kind. The only escape between backticks is a doubled backtick. */
const CONTENTS: Readonly<Record<string, RegExp>> = {
  "'": /[^'\\\n]*(?:\\[^]?[^'\\\n]*)*/y,
  '"': /[^"\\\n]*(?:\\[^]?[^"\\\n]*)*/y,
  "`": /[^`]*(?:``[^`]*)*/y,
};
const ESCAPE =
  /\r|\\(?:[abfnrtv\\'"]|[0-3][0-7]{2}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|U[0-9a-fA-F]{8})?/g;
const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * Reads a string that begins at `start`. The escapes are those of expr-lang: `\a \b \f
 * \n \r \t \v \\`, the quote, `\101`, `\x41`, `\u0041`, `\u{41}`, `\U00000041`. A line
 * feed within single or double quotes is a mistake, and a carriage return becomes a line
 * feed.
 * @returns where it ends, and its value
 * @throws ExpressionSyntaxError
 */
function readString(
  source: string,
  start: number,
): [end: number, value: string] {
  const quote = source[start] ?? "";
  const contents = CONTENTS[quote] ?? /$/y;
  const end = isAt(contents, source, start + 1) ? contents.lastIndex : start;
  const content = source.slice(start + 1, end);
  const value =
    quote === "`"
      ? content.replaceAll("``", quote)
      : content.replace(ESCAPE, (escape, at: number) => {
          const character = unescaped(escape, quote);
          if (character !== undefined) return character;
          throw refusal(
            "this escape is not one of the language; for one backslash, write two",
            start + 1 + at,
            1,
          );
        });
  if (source[end] !== quote)
    throw refusal("this string is not terminated", start, 1);
  return [end + 1, wellFormed(value)];
}

/** The character of an escape; undefined for one that is not of the language, and for another quote. */
function unescaped(escape: string, quote: string): string | undefined {
  if (escape === "\r") return "\n";
  const [, sign = ""] = escape;
  if (escape.length === 2)
    return sign === quote || !/['"]/.test(sign)
      ? (SIMPLE[sign] ?? sign)
      : undefined;
  const code = /[0-3]/.test(sign)
    ? parseInt(escape.slice(1), 8)
    : parseInt(escape.replace(/^\\[xuU]\{?/, ""), 16);
  return code <= 0x10ffff ? (characterOf(code) ?? "\ufffd") : undefined;
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

const MAX_INTEGER = 2n ** 63n - 1n;
const PREFIXED = /^0(?:x[0-9a-f]+|o[0-7]+|b[01]+)$/i;
const FLOAT = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;

/**
 * The node of a number token: an integer of 64 bits (decimal, `0x`, `0o` or `0b`), or a
 * float with or without an exponent. Underscores may stand anywhere among the digits.
 * @throws ExpressionSyntaxError
 */
export function numberOf(token: Token): NodeForm {
  const text = token.text.replaceAll("_", "");
  const isPrefixed = PREFIXED.test(text);
  if (isPrefixed || /^[0-9]+$/.test(text)) {
    const value = BigInt(isPrefixed ? text.toLowerCase() : text);
    if (value <= MAX_INTEGER) return { kind: "integer", value };
    throw new ExpressionSyntaxError(
      `${token.text} does not fit in 64 bits`,
      token,
    );
  }
  const value = FLOAT.test(text) ? Number(text) : NaN;
  if (Number.isFinite(value)) return { kind: "float", value };
  const mistake = Number.isNaN(value) ? "is not a number" : "is too large";
  throw new ExpressionSyntaxError(`${token.text} ${mistake}`, token);
}
