import stringWidth from "string-width";
import {
  HIDDEN,
  SHORT_ESCAPES,
  shownHidden,
} from "../../language/text/characters";

/**
 * Puts a text on one line and makes every hidden character visible. Line ends
 * and tabs become `\n`, `\r` and `\t`; other control characters and those that
 * change the direction or the look of their surroundings become, for example,
 * `\u{202e}`.
 */
export function visibleText(text: string): string {
  return text.replace(
    HIDDEN,
    (character) => SHORT_ESCAPES[character] ?? shownHidden(character),
  );
}

/** Lines of a message with their hidden characters visible. */
export const visibleLines = (message: string): string =>
  message.split(/\r?\n/).map(visibleText).join("\n");

/** How many columns of a terminal a text takes: a Chinese character or an emoji takes two. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** A text with blanks behind it, so that it takes at least `width` columns. */
export function padColumns(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** The beginning of a text that takes at most `width` columns, with `...` where something is left out. */
export function cutColumns(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 3) break;
    kept += segment;
  }
  return `${kept}...`;
}

const WIDTH = 80;

/**
 * Breaks a text at blanks into lines of at most `width` terminal columns (80);
 * a longer word stays whole. The first line begins with `first`, every other
 * line with `indent`, which defaults to as many blanks as `first` has columns.
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
