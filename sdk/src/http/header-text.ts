/** What keys and tokens are mistaken for. A pipeline leaves the name of a variable that has no value as it is. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [
    /^bearer\s/i,
    "the word Bearer in front does not belong to it. Leave it out.",
  ],
  [
    /^(["'`]).*\1$/,
    "the quotes around it do not belong to it. Leave them out.",
  ],
  [
    /^\$(\w+|\{.*\}|\(.*\))$/,
    "it is the name of a variable, in whose place nothing was put. Check that this variable has a value here: a protected variable of GitLab has none outside of protected branches.",
  ],
];

/**
 * Why a setting cannot be sent in a header of HTTP, as the end of a sentence about it; undefined
 * if it can. Only letters, digits and signs of ASCII can be sent; a text that was copied from a
 * page can have others. The text itself is not in the answer, because it may be a secret.
 * @param mayHaveBlanks whether blanks may be in it. No key and no token has one
 *
 * @example
 * headerTextProblem("a–b"); // "cannot be used: its character 2 is U+2013, ..."
 */
export function headerTextProblem(
  text: string,
  { mayHaveBlanks = false } = {},
): string | undefined {
  const mistake = mayHaveBlanks
    ? undefined
    : MISTAKES.find(([of]) => of.test(text));
  if (mistake) return `cannot be used: ${mistake[1]}`;
  const at = text.search(mayHaveBlanks ? /[^ -~]/u : /[^!-~]/u);
  if (at === -1) return undefined;
  const code = text
    .codePointAt(at)
    ?.toString(16)
    .toUpperCase()
    .padStart(4, "0");
  return `cannot be used: its character ${at + 1} is U+${code}, which cannot be sent. Copy it again, as plain text.`;
}
