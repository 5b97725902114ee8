import { readPattern } from "../../language/regex/pattern";
import { patternTexts } from "../../language/regex/pattern-texts";
import { quote } from "../../language/syntax/print-expression";
import { containing, type Mistake, type ValueLint } from "./value-lint";

/** Whether a pattern matches a text. */
export function isMatch(pattern: string, text: string): boolean {
  const read = readPattern(pattern);
  return "test" in read && read.test(text);
}

/** Texts that a pattern matches, the first few. */
export const samplesOf = (pattern: string) =>
  (patternTexts(pattern)?.texts ?? []).slice(0, MAX_SAMPLES);

const MAX_SAMPLES = 12;

/** Why a pattern with an open dot matches more than it should. */
export const ANY_CHARACTER = "a dot without \\ is any character";

/**
 * The mistake in a pattern that has another result than the right pattern for one of
 * some texts; undefined if no text shows it. Default: texts that the right pattern
 * matches.
 */
export function wrongPattern(
  pattern: string,
  right: string,
  why: string,
  tries: readonly string[] = samplesOf(right).map(({ text }) => text),
): Mistake | undefined {
  const shows = tries.find(
    (one) => isMatch(pattern, one) !== isMatch(right, one),
  );
  if (shows === undefined) return undefined;
  const does = isMatch(pattern, shows) ? "matches, too" : "does not match";
  return {
    message: `${quote(shows)} ${does}, because ${why}`,
    shows,
    text: right,
  };
}

const HOST_IN =
  /^(?:([a-z][a-z0-9+-]*:\/\/))?([a-z0-9.-]*\.[a-z]+|localhost)(:\d+)?\/?$/i;

/** A pattern in which a dot between letters is a dot. */
export const withDots = (pattern: string) =>
  pattern.replace(/(?<=[\w\])])\.(?=[\w([])/g, "\\.");

/** Origins of other people that a careless pattern may also match, and why it may match them. */
function foreignOrigins(pattern: string): [origin: string, why: string][] {
  return samplesOf(withDots(pattern)).flatMap(({ text }) => {
    const [, scheme = "https://", host = "", port = ""] =
      HOST_IN.exec(text.toLowerCase()) ?? [];
    const labels = host.split(".").filter((label) => label !== "");
    const [name = "", end = ""] = labels.slice(-2);
    if (labels.length === 0) return [];
    const full = labels.join(".");
    const before = labels.slice(0, -2).join(".");
    const sub = before === "" ? "" : `${before}.`;
    const behind: [string, string] = [
      `${scheme}${full}.evil.example`,
      "it has no $ at its end",
    ];
    if (labels.length === 1) return [behind];
    const inFront: [string, string][] = [
      [
        `${scheme}evil${name}.${end}${port}`,
        "nothing ends the name in front of it",
      ],
      [
        `${scheme}${sub}evil${name}.${end}${port}`,
        "nothing ends the name in front of it",
      ],
    ];
    const dots = labels
      .slice(1)
      .map((_, i): [string, string] => [
        `${scheme}${labels.slice(0, i + 1).join(".")}x${labels.slice(i + 1).join(".")}${port}`,
        ANY_CHARACTER,
      ]);
    return [behind, ...inFront, ...dots];
  });
}

/** A pattern for all of a text, in which a dot between letters is a dot. */
function closed(pattern: string): string {
  const [flags = ""] = /^\(\?i\)/.exec(pattern) ?? [];
  const escaped = withDots(pattern.slice(flags.length));
  const body = escaped.replace(/^\^|\$$/g, "");
  const isOneGroup = !/\|/.test(body.replace(/\([^()]*\)/g, ""));
  const whole = isOneGroup
    ? body
    : `(?:${escaped.replace(/(^|\|)\^/g, "$1").replace(/\$(\||$)/g, "$1")})`;
  const [first] = samplesOf(withDots(pattern));
  const start =
    first && !/^[a-z][a-z0-9+-]*:/i.test(first.text)
      ? first.text.startsWith(".")
        ? "^https://[a-z0-9.-]+"
        : "^https://(?:[a-z0-9-]+\\.)*"
      : "^";
  return `${flags}${start}${whole}$`;
}

/** What is wrong with a pattern that also matches origins of other people. In a Referer, `suffix` follows the origin. */
function openPattern(pattern: string, suffix: string): Mistake | undefined {
  const found = foreignOrigins(pattern).find(([origin]) =>
    isMatch(pattern, origin + suffix),
  );
  if (!found) return undefined;
  const [origin, why] = found;
  const shows = origin + suffix;
  const right = suffix === "" ? closed(pattern) : undefined;
  const isRight =
    right !== undefined &&
    !foreignOrigins(pattern).some(([one]) => isMatch(right, one)) &&
    samplesOf(withDots(pattern)).some(({ text }) =>
      [text, `https://${text}`, `https://www${text}`].some((one) =>
        isMatch(right, one),
      ),
    );
  return {
    message: `${quote(shows)} matches this pattern, too, because ${why}`,
    shows,
    text: isRight ? right : undefined,
    fix: "begin it with ^https://, end it with $, and write \\. for a dot",
  };
}

/** Patterns of every text, and of the headers Origin and Referer. */
export const PATTERN_VALUES: Readonly<Record<string, ValueLint>> = {
  "origin-pattern": {
    doc: "A pattern also matches origins of other people, because it has no `^` or `$`, or because its dots match any character.",
    sent: "Anybody can register a host, and so choose the Origin of their pages. A pattern may match anywhere in the text, and `.` matches every character (RE2, syntax).",
    of: ["Origin"],
    operator: "matches",
    onlyIf: "let in",
    example: {
      allow:
        "any(http.request.headers['Origin'], # matches '^https://(?:www\\\\.)?shop\\\\.example')",
    },
    find: ({ text }) => openPattern(text, ""),
  },
  "referer-pattern": {
    doc: "A pattern also matches Referers of other people's pages.",
    sent: "Anybody can register a host, and the addresses of its pages are sent as Referer. A pattern may match anywhere in the text, and `.` matches every character (RE2, syntax).",
    of: ["Referer"],
    operator: "matches",
    onlyIf: "let in",
    example: {
      allow:
        "any(http.request.headers['Referer'], # matches '^https://(?:www\\\\.)?shop\\\\.example')",
    },
    find({ text }) {
      const mistake = openPattern(text, "/");
      const right = `${text}/`;
      const isRight =
        mistake &&
        text.startsWith("^") &&
        !/[$/|]$/.test(text) &&
        !openPattern(right, "/");
      return mistake && isRight ? { ...mistake, text: right } : mistake;
    },
  },
  "origin-pattern-start": {
    doc: "A pattern looks for a host at the start of an Origin or a Referer, where the scheme stands.",
    sent: "An Origin and a Referer begin with a scheme and `://` (RFC 6454; RFC 9110, 10.1.3).",
    of: ["Origin", "Referer"],
    operator: "matches",
    unless: ["origin-pattern", "referer-pattern"],
    example: {
      allow:
        "any(http.request.headers['Origin'], # matches '(^|\\\\.)shop\\\\.example$')",
    },
    find({ text, part }) {
      const right = text.replace(/(?<=\((?:\?:)?)\^(?=\|)/g, "://");
      const path = part === "Referer" ? "/" : "";
      return wrongPattern(
        text,
        right,
        "it begins with its scheme",
        samplesOf(right).map((one) => `https${one.text}${path}`),
      );
    },
  },
  "pattern-matches-everything": {
    doc: "The pattern or text is found in every text.",
    sent: "A pattern that can match the empty text matches everywhere. Examples are a pattern with an empty alternative beside `|`, and a pattern whose parts are all optional (RE2, syntax).",
    example: { allow: "http.user_agent.string matches 'Acme|Initech|'" },
    find({ operator, text }) {
      const isPattern = operator === "matches";
      const isPart = ["contains", "startsWith", "endsWith"].includes(operator);
      const isEverything = isPattern
        ? isMatch(text, "") && isMatch(text, "x") && isMatch(text, ORDINARY)
        : isPart && text === "";
      if (!isEverything) return undefined;
      const right = text.replace(/^\||\|$|\|(?=\|)/g, "");
      const isRight = isPattern && right !== "" && !isMatch(right, "");
      return {
        message: `${quote(text)} is found in every text, such as ${quote(ORDINARY)}`,
        shows: ORDINARY,
        text: isRight ? right : undefined,
        fix: "write what has to be there",
      };
    },
  },
  "pattern-alternatives": {
    doc: "`^` belongs only to the first alternative of a pattern, and `$` only to the last.",
    operator: "matches",
    sent: "`^a|b$` means `(?:^a)|(?:b$)`. It matches texts that begin with a, and texts that end with b (RE2, syntax).",
    example: {
      allow:
        "sdk.platform.app_package_name matches '^com\\\\.acme\\\\.app|com\\\\.acme\\\\.shop$'",
    },
    find({ text, part }) {
      const outside = text.replace(
        /\\.|\[[^\]]*\]|\((?:[^()]|\([^()]*\))*\)/g,
        "",
      );
      const parts = outside.split("|");
      const isHalf =
        parts.length > 1 &&
        outside.startsWith("^") &&
        outside.endsWith("$") &&
        !parts.slice(1).some((one) => one.startsWith("^")) &&
        !parts.slice(0, -1).some((one) => one.endsWith("$"));
      if (!isHalf || part === "Origin" || part === "Referer") return undefined;
      return wrongPattern(
        text,
        `^(?:${text.slice(1, -1)})$`,
        "^ and $ belong to one alternative each",
        samplesOf(text).flatMap((one) => [`${one.text}x`, `x${one.text}`]),
      );
    },
  },
  "pattern-class": {
    doc: "Words are in square brackets, but brackets match a single character.",
    operator: "matches",
    sent: "`[curl|Wget]` matches one of the characters c, u, r, l, |, W, g, e and t. `(?:curl|Wget)` matches one of the words (RE2, syntax).",
    example: { deny: "http.user_agent.string matches '^[curl|Wget]'" },
    find({ text }) {
      const right = text.replace(
        /\[(\w{2,}(?:\|[\w ]{2,})+)\]/g,
        (_, words: string) => `(?:${words})`,
      );
      return wrongPattern(text, right, "[...] matches a single character", [
        ...samplesOf(text).map((one) => one.text),
        ORDINARY,
      ]);
    },
  },
  "pattern-blanks": {
    doc: "A pattern has blanks beside `|`, and they are part of the alternatives.",
    operator: "matches",
    sent: "A blank in a pattern matches a blank in the text (RE2, syntax).",
    example: { deny: "http.user_agent.string matches 'sqlmap | nikto'" },
    find: ({ text }) =>
      wrongPattern(
        text,
        text.replace(/(?<!\\)(?: +\| *|\| +)/g, "|"),
        "the blanks are looked for, too",
      ),
  },
  "pattern-slashes": {
    doc: "A pattern is written between slashes, as in JavaScript, but the slashes are part of the pattern.",
    sent: "Write a pattern without slashes. `(?i)` in front ignores letter case (RE2, syntax).",
    example: { deny: "http.user_agent.string matches '/headless/i'" },
    find({ operator, isOfPattern, text, subject }) {
      const [, body, flags = ""] = /^\/(.+)\/([gimsu]*)$/.exec(text) ?? [];
      if (!(operator === "matches" || isOfPattern) || body === undefined)
        return undefined;
      const right = `${flags.includes("i") ? "(?i)" : ""}${body}`;
      const shows = samplesOf(right).find(
        (one) => isMatch(right, one.text) && !one.text.includes("/"),
      )?.text;
      return shows === undefined
        ? undefined
        : {
            message: `the slashes are looked for, too; ${quote(shows)} has none`,
            shows,
            comparison:
              isOfPattern && right === body
                ? containing(subject, body)
                : `${subject} matches ${quote(right)}`,
          };
    },
  },
  "pattern-glob": {
    doc: "A pattern uses `*` as a shell does, but in a pattern `*` repeats the character before it.",
    operator: "matches",
    sent: "`bot*` matches `bo`, `bot` and `bott`. A pattern may match anywhere in the text, so the rest of the text needs no `*` (RE2, syntax).",
    example: { deny: "http.user_agent.string matches 'Scrapy*'" },
    find({ text, subject }) {
      const [, word = "", last = ""] =
        /^\^?((?:\w|\\\.|[/ -])*)(\w|\/)\*\$?$/.exec(text) ?? [];
      if (word.length + last.length < 2) return undefined;
      const shows = word.replaceAll("\\", "");
      const meant = text.startsWith("^") ? "startsWith" : "contains";
      return {
        message: `${quote(shows)} matches, too, because * repeats the character in front of it`,
        shows,
        comparison: `${subject} ${meant} ${quote(shows + last)}`,
      };
    },
  },
};

/** An ordinary text that no rule should match. */
const ORDINARY =
  "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
