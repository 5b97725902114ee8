import {
  partsOfPattern,
  type PatternPart,
} from "../../language/regex/pattern-tree";
import { quote } from "../../language/syntax/print-expression";
import { isMatch, samplesOf, wrongPattern } from "./patterns";
import type { Mistake, ValueLint } from "./value-lint";

const replaced = (pattern: string, { from, to }: PatternPart, text: string) =>
  pattern.slice(0, from) + text + pattern.slice(to);

/** The first classes of a pattern that a correction changes, corrected, with a text that shows the difference. */
function otherClass(
  pattern: string,
  correct: (source: string) => string,
  why: string,
): Mistake | undefined {
  for (const part of partsOfPattern(pattern)) {
    if (part.kind !== "one" || !part.source.startsWith("[")) continue;
    const right = correct(part.source);
    if (right === part.source) continue;
    const whole = replaced(pattern, part, right);
    // Every character that only one of the two classes has is tried in its place.
    const tries = OF_ASCII.filter(
      (one) => isMatch(`^${part.source}$`, one) !== isMatch(`^${right}$`, one),
    )
      .flatMap((one) =>
        samplesOf(
          replaced(pattern, part, `\\x{${one.charCodeAt(0).toString(16)}}`),
        ),
      )
      .concat(samplesOf(whole))
      .map(({ text }) => text);
    const found = wrongPattern(pattern, whole, why, tries);
    if (found) return found;
  }
  return undefined;
}

const OF_ASCII = Array.from({ length: 95 }, (_, i) =>
  String.fromCharCode(32 + i),
);

/** A class whose hyphen between two signs stands at its end. */
function withHyphenAtEnd(source: string): string {
  let isMoved = false;
  const moved = source
    .slice(0, -1)
    .replace(
      /([+,.:;=@_/()*&|'"])-([+,.:;=@_/()*&|'"])/g,
      (range: string, first: string, last: string) => {
        // Two signs with one between them may be meant.
        if (last.charCodeAt(0) - first.charCodeAt(0) <= 2) return range;
        isMoved = true;
        return first + last;
      },
    );
  return isMoved ? `${moved}-]` : source;
}

/** Parts of a request that never have a backslash. */
const WITHOUT_BACKSLASH = [
  ...["Origin", "Referer", "Host", "sdk.version"],
  "sdk.platform.app_package_name",
];

/** Patterns that do not mean what they seem to mean. */
export const PATTERN_FORM_VALUES: Readonly<Record<string, ValueLint>> = {
  "pattern-numbers": {
    operator: "matches",
    doc: "A range of numbers is in square brackets, but brackets match a single character.",
    sent: "`[0-255]` is one of the characters 0, 1, 2 and 5 (RE2, syntax).",
    example: {
      deny: "any(http.request.headers['X-Forwarded-For'], # matches '^203[.]0[.]113[.][0-255]$')",
    },
    find: ({ text }) =>
      otherClass(
        text,
        (source) => {
          const [, most = ""] = /^\[\d{1,2}-(\d{2,4})\]$/.exec(source) ?? [];
          return most === "" ? source : `[0-9]{1,${most.length}}`;
        },
        "[...] matches a single character",
      ),
  },
  "pattern-range": {
    operator: "matches",
    doc: "In square brackets, a hyphen between two signs means a range of characters.",
    sent: "`[+-/]` matches one of + , - . and /. A hyphen at the end stands for itself (RE2, syntax).",
    example: {
      allow: "any(http.request.headers['X-Path'], # matches '^[a-z+-/]+$')",
    },
    find: ({ text }) =>
      otherClass(
        text,
        withHyphenAtEnd,
        "a hyphen between two signs is a range",
      ),
  },
  "pattern-a-to-z": {
    operator: "matches",
    doc: "`[A-z]` matches more than letters.",
    sent: "Between `Z` and `a` stand the characters [ \\ ] ^ _ and ` (ASCII).",
    example: {
      allow: "sdk.platform.app_package_name matches '^com[.]acme[.][A-z]+$'",
    },
    find: ({ text }) =>
      otherClass(
        text,
        (source) =>
          source.replace("A-z", source.includes("a-z") ? "A-Z" : "A-Za-z"),
        "[A-z] has _ and other signs",
      ),
  },
  "pattern-braces": {
    operator: "matches",
    doc: "Braces contain a hyphen instead of a comma, so the pattern looks for the braces themselves.",
    sent: "`a{1,2}` matches one or two a; `a{1-2}` matches a text with braces (RE2, syntax).",
    example: { deny: "http.user_agent.string matches 'Chrome/[0-9]{1-2}[.]'" },
    find: ({ text }) =>
      wrongPattern(
        text,
        text.replace(/(?<!\\)\{(\d+)-(\d+)\}/g, "{$1,$2}"),
        "the braces are looked for",
      ),
  },
  "pattern-backslash": {
    doc: "A pattern has too many backslashes, so it looks for a backslash.",
    sent: "In an expression `'\\\\\\\\.'` is the pattern `\\\\.`, a backslash and any character; `'\\\\.'` is the pattern `\\.`, a dot (expr-lang; RE2, syntax).",
    of: WITHOUT_BACKSLASH,
    example: {
      allow:
        "any(http.request.headers['Origin'], # matches '^https://(?:www\\\\\\\\.)?shop\\\\\\\\.example$')",
    },
    find({ operator, text, isOfPattern }) {
      const isPattern = operator === "matches" || isOfPattern;
      const right = text.replaceAll("\\\\", "\\");
      if (!isPattern || right === text) return undefined;
      const shows = samplesOf(right).find((one) => isMatch(right, one.text));
      return shows && !isMatch(text, shows.text)
        ? {
            message: `a backslash is looked for; ${quote(shows.text)} has none`,
            shows: shows.text,
            text: right,
          }
        : undefined;
    },
  },
};
