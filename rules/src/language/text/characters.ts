/** Characters that expr-lang counts as white space: white space of Unicode, without the byte order mark. */
export const SPACE = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
/** Characters of names: letters and digits of any script, `_`, `$`. */
export const WORD = String.raw`[\p{L}\p{Nd}_$]`;
const IS_SPACE = new RegExp(SPACE);
const ANY_SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Whether a character is white space. */
export const isSpace = (character: string): boolean => IS_SPACE.test(character);

/** The character of a code point; undefined for a number that is no code point of a character. */
export const characterOf = (code: number): string | undefined =>
  code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : undefined;

/** Whether a text can be written after a dot: a name that does not begin with a digit. */
export function isName(text: string): boolean {
  return /^[\p{L}_$][\p{L}\p{Nd}_$]*$/u.test(text);
}

/** The text with each lone surrogate replaced by U+FFFD, as encoding it in UTF-8 does. */
export function wellFormed(text: string): string {
  return ANY_SURROGATE.test(text)
    ? text.replace(LONE_SURROGATE, "\ufffd")
    : text;
}

/** Characters that are not seen, or that change the look or the direction of others. */
export const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The hidden characters that have an escape of one letter. */
export const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** A hidden character as it is shown: `\u{202e}`. */
export const shownHidden = (character: string): string =>
  `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Characters that take two columns of a terminal: those of East Asia, and emoji. */
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b001}\u{1f200}-\u{1f251}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** How many columns of a terminal a character takes that is not hidden. */
export const columnsOfCharacter = (character: string): number =>
  character <= "~"
    ? 1
    : WIDE.test(character)
      ? 2
      : COMBINING.test(character)
        ? 0
        : 1;

const COMBINING = /[\u0300-\u036f]/;
