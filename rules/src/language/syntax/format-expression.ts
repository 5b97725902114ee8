import { tokensOf, type Token } from "./lexer";
import { operatorsOf } from "../tables/lookup";
import { parseExpression } from "./parse-expression";
import type { ExpressionProblem } from "./problem";

const WIDTH = 80;
/** The sign for each spelling of a logical operator: `&&` for `and`. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  [...operatorsOf.logical].map(([text, row]) => [text, row.name]),
);

interface Piece {
  readonly text: string;
  readonly token: Token;
  /** Whether it is a comment on a line of its own. */
  readonly isOwnLine: boolean;
  /** Whether it is `!`, `-`, `+` or `not` in front of an operand. */
  readonly isPrefix: boolean;
}

/**
 * Formats an expression: `&&`, `||` and `!`, single quotes, and one line if it
 * fits in 80 columns. A longer expression gets one line for each operand of the
 * outermost `||`, or of `&&` if it has no `||`. Brackets and comments stay.
 * Formatting a formatted expression changes nothing.
 * @returns the text, or the problem of a source that does not parse
 */
export function formatExpression(source: string): string | ExpressionProblem {
  const parsed = parseExpression(source);
  if (!parsed.ok) return parsed.error;
  const pieces = piecesOf(source);
  const flat = layOut(pieces, undefined);
  if (flat.split("\n").every((line) => line.length <= WIDTH)) return flat;
  const outermost = outermostOperators(pieces);
  const operator = ["||", "&&"].find((text) => outermost.has(text));
  return operator === undefined ? flat : layOut(pieces, operator);
}

function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = [];
  let last: Token | undefined;
  let end = 0;
  for (const read of tokensOf(source)) {
    if (read.kind === "end") break;
    // After a dot, a word such as `not` is a name: `a.not`.
    const isProperty = last?.kind === "operator" && last.text === ".";
    const token: Token =
      isProperty && read.kind === "operator" ? { ...read, kind: "name" } : read;
    const raw = source.slice(token.offset, token.offset + token.length);
    const isNegation =
      token.kind === "operator" &&
      (token.text === "!" || token.text === "not") &&
      isOperandNext(last);
    const isSign =
      token.kind === "operator" && (token.text === "-" || token.text === "+");
    const isAlone = end === 0 || source.slice(end, token.offset).includes("\n");
    pieces.push({
      text: isNegation ? "!" : spelling(token, raw),
      token,
      isOwnLine: token.kind === "comment" && isAlone,
      isPrefix: isNegation || isSign,
    });
    if (token.kind !== "comment") last = token;
    end = token.offset + token.length;
  }
  return pieces;
}

/** Whether an operand must follow a token, as at the start, behind an operator, or behind an opening bracket. */
function isOperandNext(last: Token | undefined): boolean {
  if (!last) return true;
  if (last.kind === "operator") return last.text !== "#" && last.text !== ".";
  return isBracket(last, "([{");
}

function spelling(token: Token, raw: string): string {
  if (token.kind === "comment") return raw.trimEnd();
  if (token.kind === "operator") return SIGNS.get(raw) ?? raw;
  const isPlain = token.kind === "string" && /^"[^'"\\\r]*"$/.test(raw);
  return isPlain ? `'${raw.slice(1, -1)}'` : raw;
}

function outermostOperators(pieces: readonly Piece[]): Set<string> {
  const found = new Set<string>();
  eachWithDepth(pieces, ({ token, text }, depth) => {
    if (depth === 0 && token.kind === "operator") found.add(text);
  });
  return found;
}

function eachWithDepth(
  pieces: readonly Piece[],
  visit: (piece: Piece, depth: number, previous: Piece | undefined) => void,
): void {
  let depth = 0;
  let previous: Piece | undefined;
  for (const piece of pieces) {
    if (isBracket(piece.token, ")]}")) depth--;
    visit(piece, depth, previous);
    if (isBracket(piece.token, "([{")) depth++;
    previous = piece;
  }
}

function layOut(pieces: readonly Piece[], breakBefore: string | undefined) {
  let text = "";
  eachWithDepth(pieces, (piece, depth, previous) => {
    const isLineComment =
      previous?.text.startsWith("//") && previous.token.kind === "comment";
    const isBroken =
      depth === 0 &&
      piece.token.kind === "operator" &&
      piece.text === breakBefore;
    if (!previous) text += piece.text;
    else if (isLineComment || piece.isOwnLine || isBroken)
      text += `\n${piece.text}`;
    else text += `${isSpaced(previous, piece) ? " " : ""}${piece.text}`;
  });
  return text;
}

/** Whether two tokens on a line have white space between them. */
function isSpaced(previous: Piece, piece: Piece): boolean {
  const { token } = piece;
  const { token: before } = previous;
  if (token.kind === "comment" || before.kind === "comment") return true;
  if (isGlue(before, "?") && isGlue(token, ":")) return false;
  if (isGlue(before, ".") || isGlue(token, "."))
    return before.text === "," || isWordy(previous, piece);
  if (isGlue(token, ",") || isBracket(token, ")]")) return false;
  if (isBracket(before, "([") || previous.isPrefix) return false;
  if (isBracket(token, "(["))
    // No space before the bracket of a call or an index; a space between an operator
    // and a bracket.
    return !(
      before.kind === "name" ||
      before.kind === "string" ||
      before.kind === "bracket" ||
      before.text === "#"
    );
  return true;
}

/** Whether a dot that begins `.name`, short for `#.name`, needs a space after an operator. */
function isWordy({ token: before }: Piece, { token }: Piece): boolean {
  return (
    isGlue(token, ".") && before.kind === "operator" && before.text !== "#"
  );
}

function isGlue({ kind, text }: Token, glue: string): boolean {
  return kind === "operator" && text === glue;
}

/** Whether a token is one of some brackets. */
function isBracket({ kind, text }: Token, brackets: string): boolean {
  return kind === "bracket" && brackets.includes(text);
}
