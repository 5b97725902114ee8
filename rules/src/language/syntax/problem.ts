import { keepingResults } from "../../keeping-results";
import { lengthOf } from "../text/text";
/** A mistake in an expression and its place. */
export interface ExpressionProblem {
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters (code points). */
  readonly column: number;
  /** From 0, in UTF-16 units of the source. */
  readonly offset: number;
  /** In UTF-16 units of the source; 0 at its end. */
  readonly length: number;
  /** The place behind its last character, as `line` and `column`. */
  readonly end: Place;
}

/** A place in a text. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters (code points). */
  readonly column: number;
}

/** A stretch of the source, in UTF-16 units. */
export interface Span {
  readonly offset: number;
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

/** The characters of a line as it is shown. One long line may have many problems. */
const charactersOf = keepingResults(1, (line) => [
  ...line.replace(/[\t\r]/g, " "),
]);

/**
 * The line of a problem with its number, and `^` under the place, as plain text
 * of at most 80 columns. A longer line is cut to the part around the place.
 */
export function codeFrame(
  source: string,
  { line, column: from, end }: Place & { readonly end: Place },
): string {
  const column = from - 1;
  const characters = charactersOf(linesOf(source)[line - 1] ?? "");
  const gutter = `${line} | `;
  const width = MAX_WIDTH - gutter.length;

  // The place may be one character behind the end of the line.
  const last = Math.max(0, characters.length + 1 - width);
  const start = Math.min(last, Math.max(0, column - Math.floor(width / 3)));
  const shown = characters.slice(start, start + width);
  if (start > 0) shown.splice(0, 3, "...");
  if (start + width < characters.length) shown.splice(-3, 3, "...");

  const marked = end.line === line ? end.column - from : characters.length;
  const room = Math.min(width - (column - start), characters.length - column);
  const marks = Math.max(1, Math.min(marked, room));
  const blank = `${" ".repeat(gutter.length - 2)}| `;
  return [
    `${gutter}${shown.join("")}`.trimEnd(),
    `${blank}${" ".repeat(column - start)}${"^".repeat(marks)}`,
  ].join("\n");
}
