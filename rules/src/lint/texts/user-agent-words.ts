import { keepingResults } from "../../keeping-results";
import { crawlers } from "../../language/request/bot-flags";
import { KNOWN_USER_AGENTS } from "../../language/request/known-user-agents";
import type { TextComparison } from "../set/comparison";
import {
  browserWith,
  inVersion,
  CHROME,
  IPHONE,
  phone,
  SAFARI,
  SAMSUNG,
  crawlersWith,
  crawlerText,
  foldedCrawlers,
  REAL_USER_AGENTS,
  crawlerWords,
  instancesWith,
  KIND,
} from "./clients";
import { nearest } from "../set/nearest";
import {
  advise,
  holds,
  inCaseOf,
  isWhole,
  one,
  replacing,
  type Step,
} from "./text-claim";

/** The letters of a name, without the signs and blanks between its words. */
const lettersOf = (name: string) => name.toLowerCase().replace(/[ _-]/g, "");

/**
 * Names in user agents that rules look for, in their right spelling, with a user agent
 * that contains the name.
 */
const NAMES = new Map(
  KNOWN_USER_AGENTS.map((known) => [lettersOf(known.name), known]),
);

/** Browsers whose user agent does not contain the name that people use. */
const USUAL_NAMES = new Map([
  ["edge", "edg"],
  ["opera", "opr"],
  ["internetexplorer", "trident"],
]);

/** The spelling of a crawler's word that a word means, with other capitals or one other letter. */
function crawlerSpelling(word: string): string | undefined {
  const folded = word.toLowerCase();
  // Most words are in none of them, and have no other spelling then.
  if (
    folded.length < 5 ||
    !(KIND.test(word) || foldedCrawlers().includes(folded))
  )
    return undefined;
  const { spellings } = crawlerWords();
  const same = spellings.get(folded);
  if (same !== undefined || !KIND.test(word)) return same;
  const isLong = (each: string) => each.length > 5;
  const names = [...spellings.keys()].filter(isLong);
  for (const each of [folded, folded.replace(KIND, "")].filter(isLong)) {
    const alike = names.filter((known) => known[0] === each[0]);
    const near = nearest(each, alike, 1);
    if (near !== undefined) return spellings.get(near);
  }
  return undefined;
}

/** A crawler whose user agents do not all have a text, such as the address of its owner, and one of them without it. */
function withoutAddress(text: string) {
  if (!/\w@\w|\w\.[a-z]{2,}/.test(text)) return undefined;
  const names = crawlers()
    .filter(({ instances }) => instances?.some((each) => each.includes(text)))
    .map(({ pattern }) => /^[\w -]+/.exec(pattern)?.[0] ?? "")
    .concat(KNOWN_USER_AGENTS.filter(has(text)).map(({ name }) => name));
  const [name = ""] = names;
  if (name === "" || new Set(names).size > 1 || text.includes(name))
    return undefined;
  const userAgent = crawlersWith(name).find(
    (each) => each.includes(name) && !each.includes(text),
  );
  return userAgent === undefined ? undefined : { name, userAgent };
}

/** The crawler with exactly this name, and a user agent that begins with it, if it has one. */
const crawlerNamed = keepingResults(1_000, (name) => {
  if (name === "" || !crawlerText().includes(name)) return undefined;
  const [longer] = /\w{6}$/.test(name)
    ? [...crawlerWords().words].filter((word) => word.startsWith(`${name}_`))
    : [];
  if (longer !== undefined && !crawlerWords().words.has(name))
    return { name, userAgent: instancesWith(longer)[0]?.userAgent ?? "" };
  const instances = instancesWith(name)
    .filter(({ pattern }) => new RegExp(`^(?:${pattern})$`, "i").test(name))
    .map((instance) => instance.userAgent);
  const userAgent =
    instances.find((each) => each.startsWith(name)) ?? instances[0];
  return userAgent === undefined ? undefined : { name, userAgent };
});

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

/** A whole text in words, or one word. */
const NAME_OR_WORD =
  /(?<=^\W*)[a-z](?:[\w -]*\w)?(?=\W*$)|(?<![\w-])[a-z](?:[\w-]*\w)?/gi;

/** What known user agents have between a name and its version. */
const signsBehind = keepingResults(1_000, (name): string[] => {
  const behind = new RegExp(`(?<![\\w-])${name}([^\\w])v?\\d`, "i");
  return KNOWN_USER_AGENTS.flatMap(
    ({ userAgent }) => behind.exec(userAgent)?.[1] ?? [],
  );
});

/** Known user agents, and those of crawlers, that have a product, behind a blank or anywhere. */
const agentsWith = (product: string, front = " ") =>
  REAL_USER_AGENTS.concat(crawlersWith(product)).filter((each) =>
    (front + each).includes(front + product),
  );

const has =
  (text: string) =>
  ({ userAgent }: { readonly userAgent: string }) =>
    userAgent.includes(text);

/** A text with the right spelling of a known name that no known user agent has in this spelling. */
const respelt = keepingResults(1_000, (text): string => {
  for (const { 0: word, index } of text.matchAll(NAME_OR_WORD)) {
    const known = nameBeginningWith(word);
    const isVersion = USUAL_NAMES.has(lettersOf(word)) && /\d/.test(text);
    if (isVersion || KNOWN_USER_AGENTS.some(has(word))) continue;
    const name = known?.name ?? crawlerSpelling(word);
    if (name === undefined) continue;
    // The spelling of a crawler that has another name.
    if (!known && crawlerText().includes(word)) continue;
    const right = text.slice(0, index) + name + text.slice(index + word.length);
    // A blank may be meant to follow an older name, such as Opera.
    if (known && right.endsWith(" ") && !KNOWN_USER_AGENTS.some(has(right)))
      continue;
    return right;
  }
  return text;
});

/**
 * Words that people look for, although no user agent of the intended clients has them; what
 * these clients send; and the text to look for instead.
 */
type NotNamed = readonly [
  words: readonly string[],
  why: string,
  userAgent: string,
  instead?: string,
];

/** The user agent of a well-known name; empty for any other. */
export const userAgentOf = (name: string) => knownName(name)?.userAgent ?? "";

/** A version of Windows that user agents write as another version. */
const windows = (name: string, written: string): NotNamed => [
  [`windows ${name}`],
  `browsers write Windows NT ${written} for Windows ${name}`,
  CHROME.replace("Windows NT 10.0", `Windows NT ${written}`),
  // Windows 11 has the text of Windows 10.
  written === "10.0" ? undefined : `Windows NT ${written}`,
];

/** A name to write into robots.txt; the crawler has another name. */
const ofRobots = (name: string, crawler: string): NotNamed => [
  [name],
  `${name} is a name to write into robots.txt, and the crawler has another name`,
  userAgentOf(crawler),
];

const NOT_NAMED: readonly NotNamed[] = [
  [
    ["windows nt 11", ...[11, 12, 13, 14, 15, 26].map((v) => `mac os x ${v}`)],
    "browsers write Windows NT 10.0 and Mac OS X 10_15_7 for later systems, too",
    SAFARI,
  ],
  [
    ["selenium", "puppeteer", "playwright", "webdriver", "chromedriver"],
    "a browser does not name the tool that drives it",
    userAgentOf("HeadlessChrome"),
    "HeadlessChrome",
  ],
  windows("XP", "5.1"),
  ...[windows("Vista", "6.0"), windows("7", "6.1"), windows("8", "6.2")],
  ...[windows("8.1", "6.3"), windows("10", "10.0"), windows("11", "10.0")],
  [["ios"], "browsers write iPhone OS for iOS", IPHONE, "iPhone OS"],
  [
    ["macos"],
    "browsers write Mac OS X for macOS",
    userAgentOf("Safari"),
    "Macintosh",
  ],
  [
    ["ie 11", "msie 11", "internet explorer 11"],
    "Internet Explorer 11 does not write its name",
    userAgentOf("Trident"),
    "Trident/7.0",
  ],
  [
    Array.from({ length: 8 }, (_, i) => `iphone ${i + 10}`),
    "a telephone does not name its model",
    IPHONE,
  ],
  [
    ["cpu ipad os", "ipad os", "ipados"],
    "tablets write CPU OS for iPadOS",
    IPHONE.replace("iPhone; CPU iPhone OS 17", "iPad; CPU OS 12"),
    "CPU OS",
  ],
  [
    ["ipad"],
    "from iPadOS 13 on, Safari on a tablet calls itself a Mac",
    SAFARI,
  ],
  [
    ["anthropic-ai", "claude-web"],
    "Anthropic no longer uses this name",
    userAgentOf("ClaudeBot"),
    "ClaudeBot",
  ],
  [
    ["samsung browser", "samsung internet"],
    "this browser writes its name as one word",
    SAMSUNG,
    "SamsungBrowser",
  ],
  [
    ["samsung"],
    "most of these telephones write their model alone",
    phone("SM-S918B"),
  ],
  [["brave"], "Brave calls itself Chrome", CHROME],
  ...[
    ...["Baiduspider BaiduBot", "GPTBot OpenAIBot", "ClaudeBot AnthropicBot"],
    ...["ChatGPT-User ChatGPTBot", "Bytespider ByteDanceBot TikTokBot"],
    ...["DuckDuckBot DuckDuckGoBot", "facebookexternalhit FacebookCrawler"],
    ...[
      "MJ12bot Majestic Majestic-12 MajesticSEO MajesticBot",
      "Yeti NaverBot",
    ],
    ...["PetalBot HuaweiBot", "bingbot MicrosoftBot MSBot", "DotBot MozBot"],
    ...["CCBot CommonCrawlBot CommonCrawler", "PerplexityBot PerplexityAI"],
    ...["Slurp YahooBot", "archive.org_bot InternetArchive WaybackMachine"],
  ].map((names): NotNamed => {
    const [crawler = "", ...others] = names.split(" ");
    const why = "the crawler of this company has another name";
    return [others, why, userAgentOf(crawler), crawler];
  }),
  ofRobots("google-extended", "Googlebot"),
  ofRobots("applebot-extended", "Applebot"),
];

/** A word that a comparison looks for, in small letters and without a version. */
const wordIn = (text: string) =>
  text.toLowerCase().replace(/\/[\d.]*$|\.0?$/, "");

const BY_WORD = new Map(
  NOT_NAMED.flatMap((row) =>
    row[0].map((word) => [word.toLowerCase(), row] as const),
  ),
);

/** A version behind the name of a system. Names such as Windows 7 have a row of their own. */
const VERSION_BEHIND = / v?\d[\d._]*$/;

/** The row of a word that no user agent of the intended clients has. */
function notNamed(text: string, comparison: TextComparison) {
  const word = wordIn(text);
  return isWhole(comparison)
    ? undefined
    : (BY_WORD.get(word) ?? BY_WORD.get(word.replace(VERSION_BEHIND, "")));
}

/** Texts with a sign within a user agent, at the end of the part that they are compared with. */
const CUT: Readonly<Record<string, RegExp>> = {
  ...{ startsWith: /^[;,()]/, endsWith: /[;,(]$/ },
  ...{ "==": /^[;,()]|[;,(]$/, in: /^[;,()]|[;,(]$/ },
};

/** What user agents have: docs/assumptions.md, A105; RFC 9110, 10.1.5; documentation of each browser. */
export const USER_AGENT_STEPS: Readonly<Record<string, Step>> = {
  "no user agent of the intended clients has this word": (text, comparison) => {
    const row = notNamed(text, comparison);
    if (!row) return text;
    const [, why, userAgent, instead] = row;
    const [version = ""] = BY_WORD.has(wordIn(text))
      ? []
      : (VERSION_BEHIND.exec(text) ?? []);
    const isWritable =
      instead !== undefined && (version === "" || instead.endsWith(" OS"));
    return {
      says: why,
      shows: [userAgent || (instancesWith(instead ?? "")[0]?.userAgent ?? "")],
      instead: isWritable
        ? one(
            "contains",
            inCaseOf(
              comparison.functions,
              instead + version.replaceAll(".", "_"),
            ),
          )
        : undefined,
      advice: instead
        ? `look for ${instead}`
        : "leave it out, or look for another text",
    };
  },
  "a log writes + for a blank": (text) =>
    /[a-z\d;,)]\+(?!https?:|\S*@)[a-z(]/i.test(text) &&
    !crawlerText().includes(text) &&
    text.replace(/(?<=[\w;,)])\+(?!https?:|\+)/g, " "),
  "a user agent goes on behind such a sign, and does not begin with it": (
    text,
    { operator },
  ) =>
    CUT[operator]?.test(text) === true &&
    !agentsWith(text, "").some((each) => holds({ operator, text }, each)) &&
    one("contains", text),
  "another sign stands between the name and its version": (
    text,
    comparison,
  ) => {
    const [found = "", name = "", sign = ""] =
      /(?<![\w.-])([a-z][\w-]*)([ /:_-])(?=\d)/i.exec(text) ?? [];
    const [right, ...others] =
      found === "" || isWhole(comparison) ? [] : signsBehind(name);
    return (
      right !== undefined &&
      ![right, ...others].includes(sign) &&
      text.replace(found, name + right)
    );
  },
  "Apple's systems have underscores in their versions": (
    text,
    { operator },
  ) => {
    const right = text.replace(
      /(?<=(?:iPhone|CPU) OS |Mac OS X )\d+(?:\.\d*)+/,
      (version) => version.replaceAll(".", "_"),
    );
    // Firefox on a Mac writes a dot.
    return right !== text && !isWhole({ operator }) && text.includes("Mac")
      ? one(operator, right, text)
      : right;
  },
  "Safari has its version behind Version/, and that of its engine behind its name":
    replacing(/\bSafari\/(?=\d{1,2}(?:\.|$))/, "Version/"),
  "some user agents of this crawler do not have it": (text) => {
    const found = withoutAddress(text);
    return (
      found && {
        shows: [found.userAgent],
        instead: one("contains", found.name),
      }
    );
  },
  "no user agent joins both names in this way": (text, comparison) => {
    if (isWhole(comparison)) return text;
    const [, first = "", last = ""] =
      /^([A-Za-z][\w. -]*?)(?:\/| *[&+,] *| (?:and|or) )([A-Za-z][\w-]+)$/.exec(
        text,
      ) ?? [];
    const named = [last, first]
      .map((name) => knownName(name) ?? crawlerNamed(name))
      .find((each) => each !== undefined);
    return (
      named &&
      !crawlerText().includes(text) &&
      advise(named.userAgent, "look for one name alone")
    );
  },
  "the name has another spelling": (text, comparison) =>
    !isWhole(comparison) && comparison.functions.length === 0 && respelt(text),
  "more follows the version": (text, { operator }) => {
    const [whole = "", name = "", version = ""] =
      /(?<!\w)((?!Mozilla)[a-z][\w-]*\/)(\d+(?:\.\d+)*)$/i.exec(text) ?? [];
    if (name === "" || /^(?:contains|startsWith)$/.test(operator)) return text;
    const shows = agentsWith(name).map((each) =>
      inVersion(each, name, version),
    );
    const more = shows[0]?.includes(`${whole}.`) ? "." : "";
    return (
      !shows.some((each) => holds({ operator, text }, each)) && {
        shows,
        instead: one(text === whole ? "startsWith" : "contains", whole + more),
      }
    );
  },
  "this crawler has another version now": (text) => {
    const [, name = ""] = /^([\w-]+)\/v?\d/.exec(text) ?? [];
    const known = KIND.test(name) ? NAMES.get(lettersOf(name)) : undefined;
    // A version that it has is no mistake, so others that fit are no examples.
    return known && has(`${name}/`)(known)
      ? { shows: [known.userAgent], instead: one("contains", `${name}/`) }
      : text;
  },
  "a user agent has more than a name, and other text in front of it": (
    text,
    comparison,
  ) => {
    const { operator, functions } = comparison;
    if (operator === "contains") return text;
    const browser =
      isWhole(comparison) && /^[\w ]+$/.test(text)
        ? browserWith(text)
        : undefined;
    if (browser)
      return advise(
        browser,
        "look for a text that only the intended user agents have",
      );
    const name = /^[\w-]+(?=\/?$)/.exec(text)?.[0] ?? "";
    const known = knownName(name) ?? crawlerNamed(name);
    const folded = { operator, text: text.toLowerCase() };
    return (
      known &&
      !holds(folded, known.userAgent.toLowerCase()) && {
        shows: [known.userAgent],
        instead: one("contains", inCaseOf(functions, known.name)),
      }
    );
  },
};
