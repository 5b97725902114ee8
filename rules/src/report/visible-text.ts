/**
 * A text on one line in which nothing hides: line ends, control characters and
 * those that change the direction or the look of what is around them stand as
 * `\u{202e}`.
 */
export function visibleText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) =>
      SHORT[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

const SHORT: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
