/** A stretch of a text and what is to stand in its place; offsets in UTF-16 units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text with edits that do not overlap, in any order; all else stays byte for byte. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (edited, { start, end, text: replacement }) =>
        edited.slice(0, start) + replacement + edited.slice(end),
      text,
    );
}
