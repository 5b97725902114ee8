import type { Span } from "./problem";

/** Replaces a span of a text by another text. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** The edit that puts a text in place of what stands between two offsets. */
export const replaced = (from: number, to: number, text = ""): TextEdit => ({
  ...{ offset: from, length: to - from, text },
});

/** A text with edits that do not overlap, in any order; all else stays byte for byte. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (edited, { offset, length, text: replacement }) =>
        edited.slice(0, offset) + replacement + edited.slice(offset + length),
      text,
    );
}

/** The line break that a text uses. */
export const lineBreakOf = (text: string) =>
  text.includes("\r\n") ? "\r\n" : "\n";
