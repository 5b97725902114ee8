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
