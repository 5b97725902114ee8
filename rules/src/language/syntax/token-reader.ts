import { tokensOf, type Token } from "./lexer";
import { MAX_LEVELS, MAX_NODES, MAX_SOURCE_LENGTH } from "./limits";
import { ExpressionSyntaxError, type Span } from "./problem";

/** The tokens of a source, one after the other, with the limits of an expression. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #index = 0;
  #nodes = 0;
  /** The whole expression is no level. */
  #level = -1;

  /** @throws ExpressionSyntaxError */
  constructor(source: string) {
    if (source.length > MAX_SOURCE_LENGTH)
      throw new ExpressionSyntaxError(
        `an expression has at most ${MAX_SOURCE_LENGTH} characters, this one ${source.length}`,
        { offset: 0, length: 0 },
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

  /** Goes on to the next token and gives back the one that was current. */
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

  /** Takes this operator or bracket. @throws ExpressionSyntaxError where it is another */
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
    throw new ExpressionSyntaxError(`${expected}, but ${found} here`, token);
  }

  /** Counts nodes as expr-lang does. @throws ExpressionSyntaxError at too many */
  count(nodes: number, span: Span): void {
    this.#nodes += nodes;
    if (this.#nodes > MAX_NODES)
      throw new ExpressionSyntaxError(
        `an expression has at most ${MAX_NODES} nodes`,
        span,
      );
  }

  /** Goes some levels deeper. @throws ExpressionSyntaxError at too many */
  enter(levels = 1): void {
    this.#level += levels;
    if (this.#level > MAX_LEVELS)
      throw new ExpressionSyntaxError(
        `an expression has at most ${MAX_LEVELS} levels of nesting`,
        this.current,
      );
  }

  /** Comes back from as many levels. */
  leave(levels = 1): void {
    this.#level -= levels;
  }

  #at(index: number): Token {
    const token = this.#tokens[Math.min(index, this.#tokens.length - 1)];
    if (!token) throw new RangeError("no tokens");
    return token;
  }
}
