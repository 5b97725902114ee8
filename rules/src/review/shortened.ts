/** A text of at most `most` characters; what is longer ends in `...`. */
export function shortened(text: string, most: number): string {
  // A text has no more characters than units, and counting those is quick.
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters.slice(0, most - 3).join("")}...`;
}
