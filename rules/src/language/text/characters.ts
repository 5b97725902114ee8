const SPACE =
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;
const WORD = /^[\p{L}\p{Nd}_$]$/u;
const ANY_SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Whether expr-lang counts a character as white space: white space of Unicode, without the byte order mark. */
export function isSpace(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 128
    ? code === 32 || (code >= 9 && code <= 13)
    : SPACE.test(character);
}

/** Whether a code point can be part of a name: letters and digits of any script, `_`, `$`. */
export function isWordCode(code: number): boolean {
  if (code < 128)
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36
    );
  return WORD.test(String.fromCodePoint(code));
}

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
