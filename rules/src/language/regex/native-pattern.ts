/** One character, which is a letter, a digit, a sign, an escaped sign, `\d`, a dot or a class; or `\b`. */
const ATOM = String.raw`(?:[\w /:;,=@#%&!"'<>~-]|\\[\^$.*+?()[\]{}|\\/bd]|\.|\[\^?(?:[0-9A-Za-z]-[0-9A-Za-z]|[\w ./])+-?\])`;
const ATOMS = `(?:${ATOM}\\??)*`;
const LOOPS = `(?:${ATOM}[?+*]?)*`;
const choice = (atoms: string) => String.raw`${atoms}(?:\|${atoms})*`;

/** `a|b|c+`: nothing behind a loop makes it backtrack. */
const UNANCHORED = new RegExp(
  String.raw`^(?:${choice(ATOMS)}|${ATOMS}\((?:\?:)?${choice(ATOMS)}\)\??${ATOMS}\$?)(?:${ATOM}[+*])?$`,
);
/** `^a(b+|c)?d$`, which is tried at one place of a text. */
const ANCHORED = new RegExp(
  String.raw`^\^${LOOPS}(?:\((?:\?:)?${choice(LOOPS)}\)\??${LOOPS})?\$?$`,
);

/** What is spelt otherwise in JavaScript, or matches faster. */
const IN_JAVASCRIPT: Readonly<Record<string, string>> = {
  "\\d": "[0-9]",
  ".": "[^\\n]",
  "(": "(?:",
};

/** Longer patterns are left to RE2. */
const LONGEST = 200;
/** Each optional part doubles the ways in which a pattern can match. */
const MOST_OPTIONAL = 5;

/**
 * A JavaScript regular expression that matches exactly what a common RE2 pattern matches,
 * in linear time; undefined if that is not certain, so that RE2 is used. It has printable
 * ASCII, one group of alternatives, and one loop: at the end, or behind `^`.
 */
export function nativePattern(
  pattern: string,
): { readonly regex: RegExp; readonly steps: number } | undefined {
  if (pattern.length > LONGEST) return undefined;
  const [folds, body = ""] = /^(\(\?i\))?(.*)$/s.exec(pattern)?.slice(1) ?? [];
  const signs = body.replace(/\\.|\[[^\]]*\]|\?:/g, "");
  // Without letter case, JavaScript has more characters in words.
  if (folds !== undefined && body.includes("\\b")) return undefined;
  const isLinear =
    signs.split("?").length - 1 <= MOST_OPTIONAL &&
    signs.split(/[+*]/).length - 1 <= 1 &&
    (UNANCHORED.test(body) || ANCHORED.test(body));
  if (!isLinear) return undefined;
  const source = body.replace(
    /\\.|\[[^\]]*\]|\(\?:|[(.]/g,
    (part) => IN_JAVASCRIPT[part] ?? part,
  );
  try {
    // With `u`, a surrogate pair is one character, and letter case is ignored as in RE2.
    const regex = new RegExp(source, folds === undefined ? "u" : "iu");
    return {
      regex,
      steps: pattern.length * 2 ** (signs.split("?").length - 1),
    };
  } catch {
    // A range runs backwards, or `\b` is repeated.
    return undefined;
  }
}
