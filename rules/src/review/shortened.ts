/** Names that a sentence of a report lists; of more, it says how many. */
export const MOST_NAMES = 10;

/** In characters, of each name of a rule, a resource or an environment in a sentence. */
export const LONGEST_NAME = 80;

/** A text of at most `most` characters; what is longer ends in `...`. */
export function shortened(text: string, most: number): string {
  // A text has no more characters than units, and counting those is quick.
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters.slice(0, most - 3).join("")}...`;
}
