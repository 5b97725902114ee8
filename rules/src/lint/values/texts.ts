import { quote } from "../../language/syntax/print-expression";
import { ADDRESS_HEADERS } from "./header-forms";
import { isMatch, samplesOf } from "./patterns";
import { isWhole, type Mistake, type ValueLint } from "./value-lint";
import type { TextComparison } from "../set/comparison";

/** Characters that are invisible, or change the direction of the text. */
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\uffa0]/g;
/** Characters that look like a space but are not U+0020. */
const ODD_BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** Cyrillic and Greek letters that look like a Latin letter. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries([
  ...("аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwАAВBЕEКKМMНHОOРPСCТTХXІIЈJЅS"
    .match(/../gu)
    ?.map((pair) => [...pair] as [string, string]) ?? []),
  ...("αaοoνvιiρpΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"
    .match(/../gu)
    ?.map((pair) => [...pair] as [string, string]) ?? []),
]);

/** A realistic value for which a comparison with a text holds. */
function valueWith({ operator, part }: TextComparison, text: string): string {
  if (operator === "matches")
    return samplesOf(text).find((one) => isMatch(text, one.text))?.text ?? text;
  if (isOrigin(part) && operator === "endsWith")
    return text.startsWith(".") ? `https://www${text}` : `https://${text}`;
  return text;
}

const isOrigin = (part: string) => part === "Origin" || part === "Referer";

/** A mistake in a text that contains characters which no client sends there. */
function otherText(
  comparison: TextComparison,
  right: string,
  message: (value: string) => string,
): Mistake | undefined {
  const { text } = comparison;
  if (right === text || (right === "" && !isWhole(comparison)))
    return undefined;
  const shows = valueWith(comparison, right);
  return { message: message(quote(shows)), shows, text: right };
}

const LATIN = /\p{Script=Latin}/u;

/** A text without the signs of a pattern; undefined if it has none. */
function unsigned(
  comparison: TextComparison,
): Pick<Mistake, "shows" | "comparison"> | undefined {
  const { operator, text, subject, part } = comparison;
  if (operator === "matches" || operator === ">" || operator === "<")
    return undefined;
  const beginning = /^(\w+(?:\.\w+)+\.)\*$/.exec(text)?.[1];
  if (isWhole(comparison) && part.endsWith("package_name") && beginning)
    return {
      shows: `${beginning}app`,
      comparison: `${subject} startsWith ${quote(beginning)}`,
    };
  // In `com.acme.*`, the dots separate names.
  const isOfNames = /^\w+(?:\.\w+)+\.\*$/.test(text);
  const isPattern =
    !isOfNames &&
    /\.\*|\.\+|\\[dwsbDWS.]|^\(\?i\)|\[[a-z0-9]-[a-z0-9]\]/i.test(text);
  const isAnyOf =
    operator !== "==" &&
    operator !== "in" &&
    /^[\w .-]+(?:\|[\w .-]+)+$/.test(text);
  if (isPattern || isAnyOf) {
    const isStart = operator === "startsWith" || isWhole(comparison);
    const isEnd = operator === "endsWith" || isWhole(comparison);
    const body = isAnyOf && (isStart || isEnd) ? `(?:${text})` : text;
    const pattern = `${isStart && !text.startsWith("^") && !text.startsWith("(?i)") ? "^" : ""}${body}${isEnd && !text.endsWith("$") ? "$" : ""}`;
    const shows = samplesOf(pattern).find((one) => isMatch(pattern, one.text));
    return (
      shows && {
        shows: shows.text,
        comparison: `${subject} matches ${quote(pattern)}`,
      }
    );
  }
  const starts = /^\^\w/.test(text);
  const ends = /\w\$$/.test(text);
  const bare = text.slice(starts ? 1 : 0, ends ? -1 : undefined);
  if (starts || ends) {
    const isStart = starts || operator === "startsWith";
    const isEnd = ends || operator === "endsWith";
    const meant =
      isWhole(comparison) || (isStart && isEnd)
        ? "=="
        : isStart
          ? "startsWith"
          : "endsWith";
    return { shows: bare, comparison: `${subject} ${meant} ${quote(bare)}` };
  }
  const isOfStars = part === "Accept" || part === "Origin" || text === "*/*";
  const globbed = /^(\*?)([^*]+)(\*?)$/.exec(text);
  const [, before, body = "", behind] = globbed ?? [];
  if (isOfStars || !(before || behind) || !/\w/.test(body)) return undefined;
  const isOpenStart =
    before || operator === "endsWith" || operator === "contains";
  const isOpenEnd =
    behind || operator === "startsWith" || operator === "contains";
  const meant = isOpenStart
    ? isOpenEnd
      ? "contains"
      : "endsWith"
    : "startsWith";
  return { shows: body, comparison: `${subject} ${meant} ${quote(body)}` };
}

/** Lints of texts in every part of a request. */
export const TEXT_VALUES: Readonly<Record<string, ValueLint>> = {
  "invisible-character": {
    severity: "error",
    doc: "A text has an invisible character: a character without width, or a special blank.",
    sent: "Such characters come with text that was copied from a page or a document. Browsers do not put them into headers (RFC 9110, 5.5: visible ASCII, blanks and tabs).",
    example: { deny: "http.user_agent.string contains 'Headless\u200bChrome'" },
    find(comparison) {
      const { text, operator, isOfPattern } = comparison;
      const isPattern = operator === "matches" || isOfPattern;
      const right = text
        .replaceAll("\b", isPattern ? "\\b" : "")
        .replace(INVISIBLE, "")
        .replace(ODD_BLANK, " ");
      const [character = ""] =
        text.match(INVISIBLE) ??
        text.match(ODD_BLANK) ??
        text.match(/[\b]/) ??
        [];
      if (character === "") return undefined;
      // In an expression, \b is a backspace, and \\b the pattern for the edge of a word.
      if (character === "\b" && isPattern) {
        const shows = samplesOf(right)[0]?.text ?? right;
        return {
          message: `'\\b' is a backspace; the edge of a word is '\\\\b', as in ${quote(shows)}`,
          shows,
          comparison: `${comparison.subject} matches ${quote(right)}`,
        };
      }
      const code = character.codePointAt(0)?.toString(16).padStart(4, "0");
      return otherText(
        comparison,
        right.trim(),
        (value) =>
          `here is an invisible character, U+${code?.toUpperCase()}; ${value} has none`,
      );
    },
  },
  "mixed-script": {
    severity: "error",
    doc: "A word mixes letters of several scripts that look alike.",
    sent: "A Cyrillic or Greek letter among Latin letters comes from another keyboard, or from somebody who hides the meaning of a rule (Unicode Technical Standard 39, mixed scripts).",
    example: { deny: "http.user_agent.string contains 'Headless\u0421hrome'" },
    find(comparison) {
      const right = comparison.text.replace(/[\p{L}\p{N}]+/gu, (word) =>
        LATIN.test(word)
          ? [...word].map((one) => LOOKALIKES[one] ?? one).join("")
          : word,
      );
      return otherText(
        comparison,
        right,
        (value) =>
          `a word here has letters of several scripts; ${value} is all Latin`,
      );
    },
  },
  "blank-ends": {
    doc: "A compared text has a blank at its beginning or end.",
    sent: "Header values have no blanks at their ends, because servers remove them (RFC 9110, 5.5). Platforms, versions and package names have no blanks at all.",
    unless: ["invisible-character"],
    example: { deny: "sdk.platform.app_package_name == 'com.acme.shop '" },
    find(comparison) {
      const { operator, text } = comparison;
      const right = isWhole(comparison)
        ? text.trim()
        : operator === "startsWith"
          ? text.trimStart()
          : operator === "endsWith"
            ? text.trimEnd()
            : operator === "contains" &&
                comparison.part !== "http.user_agent.string" &&
                comparison.part !== "User-Agent" &&
                isOneWord(text.trim())
              ? text.trim()
              : text;
      return otherText(comparison, right, (value) =>
        right === ""
          ? "no value is a blank, but one may be empty"
          : `no value has a blank at its end, as ${value} has none`,
      );
    },
  },
  "letter-case-of-function": {
    severity: "error",
    doc: "The result of `lower()` is compared with a text with capitals, or the result of `upper()` with a text with small letters.",
    sent: "`lower(text)` has no capitals, and `upper(text)` has no small letters (expr-lang).",
    example: {
      deny: "lower(http.user_agent.string) contains 'HeadlessChrome'",
    },
    find(comparison) {
      const { text, functions, operator } = comparison;
      const last = functions.findLast((one) => one !== "trim");
      if (last === undefined || /^\(\?i/.test(text)) return undefined;
      const inCase = (part: string) =>
        last === "lower" ? part.toLowerCase() : part.toUpperCase();
      const right =
        operator === "matches"
          ? text.replace(
              /(\\.)|(\(\?P?<\w+>|\(\?\w+[:)])|(.)/gsu,
              (all, escaped, group) => (escaped || group ? all : inCase(all)),
            )
          : inCase(text);
      return otherText(
        comparison,
        right,
        (value) =>
          `${last}() makes ${value} of it, in whatever letters it was sent`,
      );
    },
  },
  "signs-of-a-pattern": {
    doc: "A text that is compared as it stands has signs of a pattern: `*`, `.*`, `^`, `$`, `|`.",
    sent: "Only `matches` takes a pattern. `==`, `in`, `contains`, `startsWith` and `endsWith` compare every character as it is (expr-lang).",
    unless: ["origin-glob", "origin-scheme", "version-range"],
    example: { deny: "http.user_agent.string contains 'curl|Wget'" },
    find(comparison) {
      const right = unsigned(comparison);
      return right && right.shows !== ""
        ? {
            message: `its signs are compared as they are, so ${quote(right.shows)} is not found`,
            ...right,
          }
        : undefined;
    },
  },
  "header-of-anybody": {
    doc: "A rule allows requests by a header that the client itself can write.",
    sent: "A client can send `X-Forwarded-For` and similar headers with any value, and proxies add to it. The address of the client is `http.request.ip`.",
    of: [...ADDRESS_HEADERS, "Forwarded"],
    onlyIf: "let in",
    example: {
      allow: "http.request.headers['X-Forwarded-For'][0] == '203.0.113.10'",
    },
    find(comparison) {
      const { part, text, operator } = comparison;
      const shows =
        operator === "matches" ? samplesOf(text)[0]?.text : wholeAddress(text);
      if (shows === undefined || shows === "") return undefined;
      const bits = /^[\d.]+$/.test(text) ? 32 : 128;
      const isAddress = /^(?:\d+\.){3}\d+$|^[0-9a-f]*:[0-9a-f:]+$/i.test(text);
      return {
        message: `anybody can send ${part}: ${shows}`,
        shows,
        comparison:
          isAddress && isWhole(comparison)
            ? `http.request.ip in cidr(${quote(`${text}/${bits}`)})`
            : undefined,
        fix: "test http.request.ip, which the client cannot choose",
      };
    },
  },
};

/** An address with this beginning, such as `10.0.0.10` for `10.`; any other text as it is. */
const wholeAddress = (text: string) =>
  /^(?:\d+\.){1,3}$/.test(text)
    ? [...text.split(".").slice(0, -1), "0", "0"].slice(0, 3).join(".") + ".10"
    : text;

const isOneWord = (text: string) => /^\S+$/.test(text);
