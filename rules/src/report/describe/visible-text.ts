import stringWidth from "string-width";

/**
 * Puts a text on one line and makes every hidden character visible. Line ends
 * and tabs become `\n`, `\r` and `\t`; other control characters and those that
 * change the direction or the look of their surroundings become, for example,
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

const WIDTH = 80;

/**
 * Breaks a text at blanks into lines of at most `width` terminal columns (80);
 * a longer word stays whole. The first line begins with `first`, every other
 * line with `indent`, which defaults to as many blanks as `first` has columns.
 * A Chinese character or an emoji takes two columns.
 */
export function wrap(
  first: string,
  text: string,
  indent = " ".repeat(stringWidth(first)),
  width = WIDTH,
): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && stringWidth(line) + 1 + stringWidth(word) > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].join("\n");
}
