import type { LineCounter } from "yaml";

/** Where something stands in a rule file. */
export interface FilePlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters (code points). */
  readonly column: number;
  /** In UTF-16 units from the start of the file, from 0. */
  readonly offset: number;
}

/** Where a character of a rule's expression stands in the file. */
export interface ExpressionPlace extends FilePlace {
  /** False where the file spells the expression in another way than it reads, folded or escaped: the place is then its start. */
  readonly exact: boolean;
}

/** The place of an offset in the text that `lines` has counted. */
export function filePlace(
  text: string,
  lines: LineCounter,
  offset: number,
): FilePlace {
  // In an empty file no line has been counted.
  const line = Math.max(1, lines.linePos(offset).line);
  const isMarked = line === 1 && text.startsWith("\ufeff");
  const lineStart = isMarked ? 1 : (lines.lineStarts[line - 1] ?? 0);
  const column = [...text.slice(lineStart, offset)].length + 1;
  return { line, column, offset };
}
