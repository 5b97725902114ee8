import type { Span } from "./problem";

/** Replaces a span of a text by another text. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** The edit that puts a text in place of what stands between two offsets. */
export const replaced = (from: number, to: number, text = ""): TextEdit => ({
  ...{ offset: from, length: to - from, text },
});

/**
 * A text with edits that do not overlap, in any order; all else stays byte for byte. Texts
 * inserted at one offset follow each other in the order of their edits.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let end = 0;
  const parts = [...edits]
    .sort((a, b) => a.offset - b.offset || a.length - b.length)
    .map(({ offset, length, text: replacement }) => {
      const kept = text.slice(end, offset);
      end = offset + length;
      return kept + replacement;
    });
  return parts.join("") + text.slice(end);
}

/** The line break that a text uses. */
export const lineBreakOf = (text: string) =>
  text.includes("\r\n") ? "\r\n" : "\n";
