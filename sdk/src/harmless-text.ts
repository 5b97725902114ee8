/** Colours and emphasis, which our own reports use. */
// oxlint-disable-next-line no-control-regex
const STYLE = /\u001b\[(?:[0-4]|2[2-4]|3\d|9\d)m/;

/**
 * Characters that change other text on a terminal: control characters except line ends
 * and tabs, line separators, and characters that change the direction of text.
 */
const HARMFUL =
  // oxlint-disable-next-line no-control-regex
  /[\0-\b\v\f\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/;

const UNSAFE = new RegExp(`(${STYLE.source})|${HARMFUL.source}`, "g");

/**
 * Texts that a CI runner reads as a command: `::` at the beginning of a line, also
 * after any blanks, and `##[` anywhere.
 */
const COMMAND = /^([^\S\n]*):(?=:)|#(?=#(?:vso|teamcity)?\[)/gm;

/**
 * Makes a text harmless for a terminal and the log of a CI job. Harmful characters
 * become escapes, such as `\u202e`, which JSON reads as the same character. Codes for
 * colours stay only with `hasStyle`.
 */
export function harmlessText(text: string, hasStyle = false): string {
  return text
    .replace(UNSAFE, (found, style?: string) =>
      style !== undefined && hasStyle
        ? style
        : escaped(found[0] ?? "") + found.slice(1),
    )
    .replace(
      COMMAND,
      (found, blanks = "") => (blanks as string) + escaped(found.at(-1) ?? ""),
    );
}

const escaped = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
