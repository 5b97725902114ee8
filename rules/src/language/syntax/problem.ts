import { keepingResults } from "../../keeping-results";
import { columnsOfCharacter, HIDDEN, shownHidden } from "../text/characters";
import { lengthOf } from "../text/text";

/** A mistake in an expression and its place. */
export interface ExpressionProblem extends Stretch, Span {
  readonly message: string;
}

/** A place in a text. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters (code points). */
  readonly column: number;
}

/** The places where a part of a text begins, and behind its last character. */
export interface Stretch extends Place {
  readonly end: Place;
}

/** The order of places in a text, for `sort`. */
export const inOrder = (a: Place, b: Place): number =>
  a.line - b.line || a.column - b.column;

/** A stretch of the source, in UTF-16 units. */
export interface Span {
  /** From 0. */
  readonly offset: number;
  /** 0 at the end of the source. */
  readonly length: number;
}

/** The problem that says `message` about a stretch of the source. */
export function problemAt(
  source: string,
  { offset, length }: Span,
  message: string,
): ExpressionProblem {
  const place = placeAt(source, offset);
  const end = length === 0 ? place : placeAt(source, offset + length);
  return { message, ...place, offset, length, end };
}

function placeAt(source: string, offset: number): Place {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = lineStart === 0 ? 1 : before.split("\n").length;
  return { line, column: lengthOf(before.slice(lineStart)) + 1 };
}

/** The message for a part of expr-lang that the service does not document. */
export function notSupported(what: string): string {
  return `${what} is not supported by the service's documented language`;
}

/** A mistake in the grammar. It ends parsing, and `parseExpression` turns it into a problem. */
export class ExpressionSyntaxError extends Error {
  override readonly name = "ExpressionSyntaxError";

  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}

const MAX_WIDTH = 80;

/** The lines of a source. Those of the last source are kept, because one file may have many problems. */
const linesOf = keepingResults(1, (source) => source.split("\n"));

/** The characters of a line as they are shown. One long line may have many problems. */
const cellsOf = keepingResults(1, (line) =>
  Array.from(line.replace(/[\t\r]/g, " "), (character) => {
    const text = character.replace(HIDDEN, shownHidden);
    const isHidden = text !== character;
    const columns = isHidden ? text.length : columnsOfCharacter(character);
    return { text, columns };
  }),
);

/**
 * The line of a problem with its number, and `^` under the place, as plain text
 * of at most 80 columns of a terminal. A longer line is cut to the part around the place.
 */
export function codeFrame(
  source: string,
  { line, column: from, end }: Stretch,
): string {
  const column = from - 1;
  const cells = cellsOf(linesOf(source)[line - 1] ?? "");
  const gutter = `${line} | `;
  const width = MAX_WIDTH - gutter.length;
  const columnsAt = (index: number) => cells[index]?.columns ?? 0;
  const columnsOf = (first: number, behind: number) =>
    cells.slice(first, behind).reduce((sum, { columns }) => sum + columns, 0);
  /** The first cell from which on everything in front of another one fits. */
  const firstThatFits = (behind: number, most: number) => {
    let first = behind;
    for (let left = most; first > 0; first--)
      if ((left -= columnsAt(first - 1)) < 0) break;
    return first;
  };

  // The place may be one character behind the end of the line.
  const last = firstThatFits(cells.length, width - 1);
  const start = Math.min(last, firstThatFits(column, Math.floor(width / 3)));
  let behind = start;
  for (let left = width; behind < cells.length; behind++)
    if ((left -= columnsAt(behind)) < 0) break;
  const shown = cells.slice(start, behind);
  /** Puts three dots in place of cells. */
  const cut = (first: number, count: number) => {
    const columns = columnsOf(start + first, start + first + count);
    shown.splice(first, count, { text: "...".padEnd(columns), columns });
  };
  const count = (index: number, step: 1 | -1) => {
    let n = 0;
    // A combining mark has no column of its own.
    for (let left = 3; left > 0 && cells[index + n * step]; n++)
      left -= columnsAt(index + n * step);
    return n;
  };
  if (behind < cells.length) {
    const n = count(behind - 1, -1);
    cut(shown.length - n, n);
  }
  if (start > 0) cut(0, count(start, 1));

  const marked = end.line === line ? end.column - from : cells.length;
  const marks = columnsOf(column, Math.min(column + marked, behind));
  const blank = `${" ".repeat(gutter.length - 2)}| `;
  return [
    `${gutter}${shown.map(({ text }) => text).join("")}`.trimEnd(),
    `${blank}${" ".repeat(columnsOf(start, column))}${"^".repeat(Math.max(1, marks))}`,
  ].join("\n");
}
