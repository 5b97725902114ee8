import type { Document, YAMLError } from "yaml";
import type { Span } from "../language";
import { applyEdits } from "../language/syntax/text-edit";
import { lexemesOf, parseYaml } from "./bounded-yaml";
import { unquotedExpressions } from "./unquoted-expressions";

/** What is wrong with a stretch of a file's text. */
export type TextMistake = readonly [Span, string];

/** Stands for bytes that are not UTF-8. No text in UTF-8 has half a surrogate pair. */
export const NOT_UTF8 = "\udcff";

/** A marker line that git writes into a file with a merge conflict. */
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$/m;

/** What makes a file unreadable: of each kind the first, because YAML would report many confusing mistakes. */
const UNREADABLE = [
  [
    new RegExp(`^${NOT_UTF8}{2,}`),
    "this is not UTF-8, but may be UTF-16; save the file as UTF-8",
  ],
  [new RegExp(`${NOT_UTF8}+`), "this is not UTF-8; save the file as UTF-8"],
  [
    // oxlint-disable-next-line no-control-regex
    /\0/,
    "YAML has no such character, U+0000; if the file is UTF-16, save it as UTF-8",
  ],
  [
    /^[^\n\r]*(?=\r[^\n]*$)/,
    "the lines end in U+000D alone, which YAML does not read as the end of a line; save the file with LF or CRLF",
  ],
  [
    MARKER,
    "this is a merge conflict that git left open: keep what is right of both sides, and delete the lines of <<<<<<<, ======= and >>>>>>>",
  ],
] as const;

/** The mistakes for which the content of a file cannot be read. */
export function mistakesOfText(
  text: string,
  { errors, warnings }: Document,
): readonly TextMistake[] {
  for (const [pattern, message] of UNREADABLE) {
    const found = pattern.exec(text);
    const length = found?.[0].length ?? 0;
    if (found) return [[{ offset: found.index, length }, message]];
  }
  const tags = bareTags(text);
  if (errors.length + warnings.length + tags.length === 0) return [];
  const unquoted = unquotedExpressions(text).map(
    (edit) =>
      [
        edit,
        "YAML cannot read this expression: write it in double quotes or in a block (|-), as devid rules fmt does",
      ] as const,
  );
  if (unquoted.length > 0) return unquoted;
  // What begins with "!" is a tag: without this, `!a && b` would read as `b`, and `! a` as `a`.
  const tagged = [
    ...warnings.map((w) => [spanOf(w.pos), `${w.message}.`] as const),
    ...tags.map(
      (tag) => [tag, "YAML reads this as a tag, not as text."] as const,
    ),
  ];
  return [
    ...firstOfLines(text, errors).map((error) => ofYaml(text, error, errors)),
    ...tagged.map(
      ([span, said]) =>
        [span, `${said} A text that begins with "!" needs quotes.`] as const,
    ),
  ];
}

/** What stands between two offsets. */
export const spanOf = ([from = 0, to = from]: readonly number[]): Span => ({
  ...{ offset: from, length: Math.max(0, to - from) },
});

/** The places of `!` without a name, which YAML reads as a tag that changes nothing. */
const bareTags = (text: string): Span[] =>
  /(?<![^\s[{,])!(?![^\s\]},])/.test(text)
    ? [...lexemesOf(text)]
        .filter(({ text: tag, isScalar }) => tag === "!" && !isScalar)
        .map(({ offset }) => ({ offset, length: 1 }))
    : [];

/** Of each line, the first error, up to ten: YAML often reports each word that follows. */
const firstOfLines = (text: string, errors: readonly YAMLError[]) =>
  [...errors]
    .sort((a, b) => a.pos[0] - b.pos[0])
    .filter(
      ({ pos: [at] }, index, { [index - 1]: before }) =>
        !before || text.slice(before.pos[0], at).includes("\n"),
    )
    .slice(0, 10);

/** An error of YAML with what to do, if that is known. */
function ofYaml(
  text: string,
  error: YAMLError,
  errors: readonly YAMLError[],
): TextMistake {
  const { code, pos, message } = error;
  const [at] = pos;
  switch (code) {
    case "DUPLICATE_KEY": {
      const [name = ""] =
        /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:]+)/.exec(text.slice(at)) ?? [];
      const span = { offset: at, length: name.length };
      return [span, `${name} is given twice; keep one of both`];
    }
    case "MULTIPLE_DOCS":
      return [
        { offset: at, length: 3 },
        "a rule file is one document of YAML, and --- begins another one",
      ];
    case "MISSING_CHAR": {
      const open = [...lexemesOf(text)].find(
        ({ text: read, offset }) =>
          /^["']/.test(read) && offset + read.length === at,
      );
      if (open)
        return [{ offset: open.offset, length: 1 }, "this quote is not closed"];
      break;
    }
    case "BLOCK_IN_FLOW":
      return [
        spanOf(pos),
        "a comma, or the end of { } or [ ], is missing here",
      ];
    case "BAD_DQ_ESCAPE":
      break;
    default: {
      const bare = unquotedText(text, at, errors.length);
      if (bare) return bare;
    }
  }
  return [spanOf(pos), `${message}.`];
}

/** The value of a field, or of a list, on one line, without a comment behind it. */
const VALUE =
  /^([ \t]*(?:- +)*(?:(?:"[^"]*"|[^\s"':#{[][^:]*):[ \t]+)?)([^\s#{].*?)(?:[ \t]+#.*)?[ \t]*\r?$/;

/** UTF-16 units of a file that is not parsed again for each of its errors. */
const LONG = 200_000;

/** That the value on the line of an error needs quotes, if YAML has fewer errors with them. */
function unquotedText(
  text: string,
  at: number,
  errors: number,
): TextMistake | undefined {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const [line = ""] = text.slice(lineStart).split("\n", 1);
  const [, before = "", value = ""] = VALUE.exec(line) ?? [];
  if (before.trim() === "" || text.length > LONG) return undefined;
  const span = { offset: lineStart + before.length, length: value.length };
  const quoted = `'${value.replaceAll("'", "''")}'`;
  const left = parseYaml(applyEdits(text, [{ ...span, text: quoted }])).errors;
  if (left.length >= errors) return undefined;
  const doubled = value.includes("'") ? ", and each ' in it twice" : "";
  return [span, `YAML cannot read this text: write it in '...'${doubled}`];
}

/** A text without the markers, and so with both sides of every conflict. */
export const withoutConflictMarkers = (text: string): string =>
  text.replace(new RegExp(MARKER, "gm"), "");
