/**
 * Shortens a text to at most `most` characters; a shortened text ends in `...`.
 */
export function shortened(text: string, most: number): string {
  // A text never has more characters than UTF-16 units, and these are quick to
  // count.
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters.slice(0, most - 3).join("")}...`;
}

/** The first of some texts, and how many others there are: `a`, `b`, `and 4 more`. */
export const firstOf = <Text>(
  texts: readonly Text[],
  most: number,
): readonly (Text | string)[] =>
  texts.length > most
    ? [...texts.slice(0, most), `and ${texts.length - most} more`]
    : texts;
