import { KNOWN_USER_AGENTS } from "../../language/request/known-user-agents";
import { patternTexts } from "../../language/regex/pattern-texts";
import { quote } from "../../language/syntax/print-expression";
import { operatorsOf } from "../../language/tables/lookup";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import type { TextComparison } from "../set/comparison";
import { isMatch, samplesOf } from "./patterns";
import {
  containing,
  isWhole,
  type Mistake,
  type ValueLint,
} from "./value-lint";

const SENT =
  "A user agent has a fixed spelling of its name, together with a version and other text (docs/assumptions.md, A105: the list crawler-user-agents; RFC 9110, 10.1.5). Letter case counts.";

/** The letters of a name, without the signs and blanks between its words. */
const lettersOf = (name: string) => name.toLowerCase().replace(/[ _-]/g, "");

/**
 * Names in user agents that rules look for, in their right spelling, with a user agent
 * that contains the name.
 */
const NAMES = new Map(
  KNOWN_USER_AGENTS.map(({ name, userAgent }) => [
    lettersOf(name),
    { name, userAgent },
  ]),
);

/** Browsers whose user agent does not contain the name that people use. */
const USUAL_NAMES = new Map([
  ["edge", "edg"],
  ["opera", "opr"],
  ["internetexplorer", "trident"],
]);

function knownName(word: string) {
  const letters = lettersOf(word);
  return NAMES.get(USUAL_NAMES.get(letters) ?? letters);
}

/** The known name that a word means, or that begins with the word. */
function nameBeginningWith(word: string) {
  const letters = lettersOf(word);
  const known = knownName(word);
  if (known || letters.length < LEAST_OF_BEGINNING) return known;
  return [...NAMES].find(([name]) => name.startsWith(letters))?.[1];
}

/** Shorter beginnings of a name may be another word. */
const LEAST_OF_BEGINNING = 6;

/**
 * A word of a text or pattern that means a known name and is in no known user agent in
 * this spelling.
 */
function misspeltName(text: string, isPattern: boolean) {
  const words = isPattern
    ? text.replace(/\\.|\[[^\]]*\]/g, (sign) => " ".repeat(sign.length))
    : text;
  for (const { 0: word, index } of words.matchAll(NAME_OR_WORD)) {
    const known = nameBeginningWith(word);
    const isVersion = USUAL_NAMES.has(lettersOf(word)) && /\d/.test(text);
    if (!known || isVersion) continue;
    if (KNOWN_USER_AGENTS.some(({ userAgent }) => userAgent.includes(word)))
      continue;
    return {
      known,
      right: `${text.slice(0, index)}${known.name}${text.slice(index + word.length)}`,
    };
  }
  return undefined;
}

/** A whole text in words, or one word. */
const NAME_OR_WORD =
  /(?<=^\W*)[a-z](?:[\w -]*\w)?(?=\W*$)|(?<![\w-])[a-z](?:[\w-]*\w)?/gi;

/** A user agent of a known name that a text or pattern matches. */
function userAgentWith(
  text: string,
  isPattern: boolean,
  { name, userAgent }: (typeof KNOWN_USER_AGENTS)[number],
): string {
  const hasText = isPattern
    ? isMatch(text, userAgent)
    : userAgent.includes(text);
  const plain = isPattern
    ? samplesOf(text).find((one) => one.text.includes(name))?.text
    : text;
  return hasText || plain === undefined
    ? userAgent
    : userAgent.replace(new RegExp(`${escaped(name)}[\\w./-]*`), () => plain);
}

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
const CUBOT =
  "Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36";
const CHROME_OS = "X11; CrOS x86_64 14541.0.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

/**
 * User agents of browsers with words that rules often look for in other user agents.
 */
const SHARED_WORDS: readonly {
  readonly word: RegExp;
  readonly userAgent: string;
  readonly of: string;
}[] = [
  {
    word: /^(?:safari|mozilla|gecko|applewebkit|khtml|windows)/i,
    userAgent: CHROME,
    of: "Chrome",
  },
  { word: /^bot$/i, userAgent: CUBOT, of: "a telephone by Cubot" },
  { word: /^mac os x$/i, userAgent: IPHONE, of: "an iPhone" },
  { word: /^linux$/i, userAgent: CUBOT, of: "a telephone with Android" },
];

const ONLY_INTENDED = "look for a text that only the intended user agents have";

function sharedName(word: string) {
  const found = SHARED_WORDS.find(
    ({ userAgent }) =>
      /^[\w ]+$/.test(word) && new RegExp(`\\b${word}\\b`).test(userAgent),
  );
  return found && { name: word, userAgent: found.userAgent };
}

/** A row of the words that rules look for, although no user agent of the intended clients has them. */
interface NotNamed {
  readonly words: readonly string[];
  readonly why: string;
  /** What the intended clients send. */
  readonly userAgent: string;
  /** The text to look for instead. */
  readonly instead?: string;
  /** Only if another comparison looks for one of these words in the same user agent. */
  readonly beside?: readonly string[];
}

const userAgentOf = (name: string) => knownName(name)?.userAgent ?? "";

/** A version of Windows that user agents write as another version. */
const windows = (name: string, written: string): NotNamed => ({
  words: [`windows ${name}`],
  why: `browsers write ${written} for Windows ${name}`,
  userAgent: CHROME.replace("Windows NT 10.0", written),
  // Windows 11 has the text of Windows 10.
  instead: written.endsWith("10.0") ? undefined : written,
});

/** A browser that has another name in its user agent on iPhones and iPads. */
const onIos = (name: string, written: string): NotNamed => ({
  words: [name.toLowerCase()],
  why: `on iPhones and iPads, the browser is called ${written}`,
  userAgent: IPHONE.replace("Version/17.5", `${written}/126.0`),
  instead: written,
  beside: ["iphone", "ipad", "iphone os"],
});

const NOT_NAMED: readonly NotNamed[] = [
  {
    words: [
      ...["selenium", "puppeteer", "playwright", "webdriver", "chromedriver"],
    ],
    why: "a browser does not name the tool that drives it",
    userAgent: userAgentOf("HeadlessChrome"),
    instead: "HeadlessChrome",
  },
  windows("XP", "Windows NT 5.1"),
  windows("Vista", "Windows NT 6.0"),
  windows("7", "Windows NT 6.1"),
  windows("8", "Windows NT 6.2"),
  windows("8.1", "Windows NT 6.3"),
  windows("10", "Windows NT 10.0"),
  windows("11", "Windows NT 10.0"),
  {
    words: ["ios"],
    why: "browsers write iPhone OS for iOS",
    userAgent: IPHONE,
    instead: "iPhone OS",
  },
  {
    words: ["macos"],
    why: "browsers write Mac OS X for macOS",
    userAgent: userAgentOf("Safari"),
    instead: "Macintosh",
  },
  {
    words: ["chrome os", "chromeos", "chromium os"],
    why: "browsers write CrOS for Chrome OS",
    userAgent: CHROME.replace("Windows NT 10.0; Win64; x64", CHROME_OS),
    instead: "CrOS",
  },
  onIos("Chrome", "CriOS"),
  onIos("Firefox", "FxiOS"),
  onIos("Edg", "EdgiOS"),
  onIos("Edge", "EdgiOS"),
  {
    words: ["ie 11", "msie 11", "internet explorer 11"],
    why: "Internet Explorer 11 does not write its name",
    userAgent: userAgentOf("Trident"),
    instead: "Trident/7.0",
  },
  {
    words: Array.from({ length: 8 }, (_, i) => `iphone ${i + 10}`),
    why: "a telephone does not name its model",
    userAgent: IPHONE,
  },
  {
    words: ["google-extended"],
    why: "Google-Extended is a name to write into robots.txt; the crawler has another name",
    userAgent: userAgentOf("Googlebot"),
  },
  {
    words: ["applebot-extended"],
    why: "Applebot-Extended is a name to write into robots.txt; the crawler has another name",
    userAgent: userAgentOf("Applebot"),
  },
];

/** The words that a comparison looks for, in small letters and without versions. */
const wordsOf = ({ operator, text }: TextComparison) =>
  (operator === "matches"
    ? (patternTexts(text)?.texts ?? []).map((one) => one.text)
    : [text]
  ).map((one) => one.toLowerCase().replace(/\/[\d.]*$|\.0?$/, ""));

function notNamed(comparison: TextComparison) {
  if (isWhole(comparison)) return undefined;
  const words = wordsOf(comparison);
  return NOT_NAMED.find(
    (row) =>
      words.some((word) => row.words.includes(word)) &&
      (!row.beside ||
        comparison.ofPart.some((other) =>
          wordsOf(other).some((word) => row.beside?.includes(word)),
        )),
  );
}

const inCaseOf = (functions: readonly string[], text: string) =>
  functions.reduce(
    (all, name) =>
      name === "lower"
        ? all.toLowerCase()
        : name === "upper"
          ? all.toUpperCase()
          : all,
    text,
  );

function holds({ operator, text, functions }: TextComparison, of: string) {
  const value = inCaseOf(functions, of);
  if (operator === "matches") return isMatch(text, value);
  if (operator === "==" || operator === "in") return value === text;
  return operatorsOf.text.get(operator)?.holds(value, text) === true;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const END_OF_NUMBER = "(?:[^0-9]|$)";

/** Kinds of values of a user agent. */
export const USER_AGENT_VALUES: Readonly<Record<string, ValueLint>> = {
  "user-agent-not-named": {
    doc: "A rule looks for a word that is not in the user agent of the clients that it means.",
    sent: "Browsers driven by Selenium, Puppeteer, Playwright or WebDriver send the user agent of the browser, without the name of the tool. Systems have other names: Windows 7 is `Windows NT 6.1`, Windows 10 and 11 are `Windows NT 10.0`, iOS is `iPhone OS`. Internet Explorer 11 is `Trident/7.0`, and Chrome is `CriOS` on iPhones. `Google-Extended` and `Applebot-Extended` are names for robots.txt (documentation of each).",
    of: USER_AGENT_PARTS,
    example: { deny: "http.user_agent.string contains 'selenium'" },
    find(comparison) {
      const row = notNamed(comparison);
      if (!row || holds(comparison, row.userAgent)) return undefined;
      const { why, instead, userAgent } = row;
      const { operator, subject, functions } = comparison;
      const text = instead && inCaseOf(functions, instead);
      return {
        message: `${why}, as in ${quote(userAgent)}`,
        shows: userAgent,
        comparison:
          text !== undefined && operator !== "matches"
            ? containing(subject, text)
            : undefined,
        fix:
          instead === undefined
            ? "look for another text"
            : `look for ${instead}`,
      };
    },
  },
  "user-agent-case": {
    doc: "A name is not spelt as in the user agents of the browser or bot.",
    sent: SENT,
    of: USER_AGENT_PARTS,
    unless: ["pattern-slashes"],
    example: { deny: "http.user_agent.string contains 'headlesschrome'" },
    find({ operator, text, functions }) {
      const isPattern = operator === "matches";
      const isWholeText = operator === "==" || operator === "in";
      const hasAnyCase = functions.length > 0 || text.startsWith("(?i)");
      if (isWholeText || hasAnyCase) return undefined;
      const found = misspeltName(text, isPattern);
      if (!found) return undefined;
      const { known, right } = found;
      const shows = userAgentWith(right, isPattern, known);
      return {
        message: `it is spelt ${known.name}, as in ${quote(shows)}`,
        shows,
        text: right,
      };
    },
  },
  "user-agent-name-alone": {
    doc: "The whole user agent, its beginning or end, or a whole word of it is compared with a name that is at another place in it.",
    sent: SENT,
    of: USER_AGENT_PARTS,
    example: { deny: "http.user_agent.string == 'Googlebot'" },
    find(comparison) {
      const { text, subject, functions, operator } = comparison;
      if (operator === "contains") return undefined;
      if (operator === "matches") return boundPattern(text);
      const shared = isWhole(comparison) ? sharedName(text) : undefined;
      const named =
        shared ?? knownName(/^[\w-]+(?=\/?$)/.exec(text)?.[0] ?? "");
      if (!named) return undefined;
      // Another lint reports a different spelling.
      const { name, userAgent } = named;
      const folded = { ...comparison, text: text.toLowerCase() };
      if (holds(folded, userAgent.toLowerCase())) return undefined;
      return {
        message: moreThanName(userAgent),
        shows: userAgent,
        ...(shared
          ? { fix: ONLY_INTENDED }
          : {
              comparison: containing(subject, inCaseOf(functions, name)),
            }),
      };
    },
  },
  "user-agent-version": {
    doc: "The beginning of a version ends within a number, so later versions match, too.",
    sent: "Browser versions have two or three digits. A text or pattern with only the first digit matches all versions that begin with it (RFC 9110, 10.1.5).",
    of: USER_AGENT_PARTS,
    example: { deny: "http.user_agent.string contains 'Chrome/9'" },
    find(comparison) {
      const { operator, text } = comparison;
      const isPattern = operator === "matches";
      if (!isPattern && operator !== "contains" && operator !== "startsWith")
        return undefined;
      if (!isPattern && !PRODUCT_WITH_VERSION.test(text)) return undefined;
      if (text.endsWith(END_OF_NUMBER)) return undefined;
      const pattern = isPattern ? text : escaped(text);
      const closed = `(?:${pattern})${END_OF_NUMBER}`;
      const shows = samplesOf(pattern)
        .flatMap((one) => laterVersions(one.text))
        .find((one) => isMatch(pattern, one) && !isMatch(closed, one));
      return shows === undefined
        ? undefined
        : {
            message: `${quote(shows)} has it, too, because its version has more digits`,
            shows,
            text: isPattern
              ? text.includes("|")
                ? closed
                : `${text}${END_OF_NUMBER}`
              : `${text}.`,
          };
    },
  },
  "user-agent-of-many": {
    doc: "A rule denies by a word that is in the user agent of nearly all browsers, or of some telephones.",
    sent: "Browsers name other browsers that they are compatible with. Each begins with `Mozilla/5.0`, and Chrome names AppleWebKit, Gecko and Safari. Some telephones are called Cubot. Letter case counts.",
    of: USER_AGENT_PARTS,
    onlyIf: "kept out",
    example: {
      deny: "lower(http.user_agent.string) contains 'bot'",
      fixed: "http.user_agent.string matches '(?i)bot(?:[^a-z]|$)'",
    },
    find(comparison) {
      const { text, operator } = comparison;
      const [word = ""] = /[a-z](?:[a-z ]*[a-z])?/i.exec(
        operator === "matches" ? text.replace(/^\(\?i\)/, "") : text,
      ) ?? [""];
      const found = SHARED_WORDS.find(
        (one) => one.word.test(word) && holds(comparison, one.userAgent),
      );
      return found && (operator !== "matches" || /^(?:\(\?i\))?\w+$/.test(text))
        ? {
            message: `${found.of} has it, too, in ${quote(found.userAgent)}`,
            shows: found.userAgent,
            around: {
              headers: { "User-Agent": [found.userAgent] },
              sdkPlatform: "js",
            },
            fix: ONLY_INTENDED,
          }
        : undefined;
    },
  },
  "several-in-one": {
    doc: "One text contains several names or versions, separated by commas.",
    sent: "A text is compared with its commas (expr-lang).",
    of: [...USER_AGENT_PARTS, "sdk.version", "sdk.platform.app_package_name"],
    example: { deny: "http.user_agent.string contains 'curl,Wget'" },
    find(comparison) {
      const { text, subject, operator, part } = comparison;
      const isAgent = USER_AGENT_PARTS.includes(part);
      const names = text.split(/, ?/);
      const parts =
        isAgent && !names.every(knownName)
          ? text.split(",")
          : text.split(/\s*[,;]\s*/);
      const [first = "", ...others] = parts;
      const isList =
        others.length > 0 &&
        parts.every((one) =>
          /^[\w./-]*\w{2}[\w./-]*$|^\d+(?:\.\d+)+$/.test(one),
        );
      // A comma may stand for the dot of one version.
      const isNumber = part === "sdk.version" && !first.includes(".");
      if (!isList || isNumber) return undefined;
      const pattern = parts.map(escaped).join("|");
      return {
        message: `the commas are looked for, too, and ${quote(first)} has none`,
        shows: first,
        comparison: isWhole(comparison)
          ? `${subject} in [${parts.map(quote).join(", ")}]`
          : operator === "contains" || operator === "matches"
            ? `${subject} matches ${quote(pattern)}`
            : operator === "startsWith"
              ? `${subject} matches ${quote(`^(?:${pattern})`)}`
              : undefined,
        fix: "write a condition for each",
      };
    },
  },
};

const moreThanName = (userAgent: string) =>
  `a user agent has more than a name, as ${quote(userAgent)} has`;

/** Signs of a pattern that ask for the end of a text, both ends, or the ends of a word. */
const BOUNDS = [/\$$/, /^\^|\$$/g, /\\b/g];

/** A pattern for names that matches known user agents only without its bounds. */
function boundPattern(pattern: string): Mistake | undefined {
  const matching = (one: string) =>
    KNOWN_USER_AGENTS.find(({ userAgent }) => isMatch(one, userAgent));
  // Digits are of a version, which may be too old for the known user agents.
  if (/\d/.test(pattern) || matching(pattern)) return undefined;
  for (const bound of BOUNDS) {
    const text = pattern.replace(bound, "");
    const shows = isMatch(text, "") ? undefined : matching(text)?.userAgent;
    if (text !== pattern && shows !== undefined)
      return { message: moreThanName(shows), shows, text };
  }
  return undefined;
}

/** A text that ends in a product, or in the name of a system, and the beginning of its version. */
const PRODUCT_WITH_VERSION = /([\w-]+[/ :])(\d+)$/;

/** User agents of a product whose version continues the digits at the end of a text. */
function laterVersions(text: string): string[] {
  const [, product = "", digits = ""] = PRODUCT_WITH_VERSION.exec(text) ?? [];
  if (product === "") return [];
  return KNOWN_USER_AGENTS.flatMap(({ userAgent }) => {
    const at = userAgent.indexOf(product);
    if (at < 0) return [];
    const version =
      /^\d*/.exec(userAgent.slice(at + product.length))?.[0] ?? "";
    if (version.length <= digits.length) return [];
    const end = at + product.length + version.length;
    const head = userAgent.slice(0, at + product.length);
    // Some systems have no later versions.
    return product.endsWith("/")
      ? [userAgent, `${head}${digits}0${userAgent.slice(end)}`]
      : [userAgent];
  });
}
