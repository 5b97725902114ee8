import { crawlers } from "../../language/request/bot-flags";
import { KNOWN_USER_AGENTS } from "../../language/request/known-user-agents";
import type { RuleRequest } from "../../language";
import { once } from "../../once-for";

const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";
export const CHROME = `${WINDOWS} Chrome/126.0.0.0 Safari/537.36`;
export const phone = (model: string) =>
  `Mozilla/5.0 (Linux; Android 13; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36`;
export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
export const FIREFOX =
  "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
export const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15";
/** The name of a browser on iPhones, in front of its version. */
export const onIphone = (name: string) =>
  IPHONE.replace("Version/17.5", `${name}/126.0`);

/** A user agent with another version of a product, as far as the version goes. */
export const inVersion = (
  userAgent: string,
  product: string,
  version: string,
) => {
  const at = userAgent.indexOf(product) + product.length;
  const [theirs = ""] = /^[\d.]*/.exec(userAgent.slice(at)) ?? [];
  const rest = theirs.split(".").slice(version.split(".").length);
  return (
    userAgent.slice(0, at) +
    [version, ...rest].join(".") +
    userAgent.slice(at + theirs.length)
  );
};

/** Samsung Internet, which also names the browser that it is like. */
export const SAMSUNG = phone("SM-S918B").replace(
  " Chrome",
  " SamsungBrowser/25.0 Chrome",
);

/** Pages within an app on an iPhone, which may say nothing of Safari, or much. */
export const IN_VIEW = IPHONE.replace(
  / Version.*/,
  " Mobile/15E148 [FBAN/FBIOS]",
);
export const IN_INSTAGRAM = IPHONE.replace(
  /Version.*(?= Safari)/,
  "Mobile/22F76 Instagram 393.1.0.36.70 (iPhone15,3; iOS 18_5; en_US; en)",
);

/** The user agent of an app that names the code name of the telephone. */
const inApp = (codeName: string) =>
  `Instagram 309.1.0.41.113 Android (34/14; 440dpi; 1080x2176; Xiaomi/Redmi; 22101316G; ${codeName}; mt6877; fr_FR; 541635890)`;

/** The first Edge, and Edge, which both name the browser that they are like (Microsoft). */
export const OF_EDGE = [
  `${WINDOWS} Chrome/64.0.3282.140 Safari/537.36 Edge/17.17134`,
  `${CHROME} Edg/126.0.0.0`,
];

export const INTERNET_EXPLORER =
  "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko";

/** User agents of apps, with the libraries of Apple and of Android. */
export const OF_APPS = [
  "AcmeShop/5.2 CFNetwork/1494.0.7 Darwin/23.4.0",
  "okhttp/4.12.0",
  "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)",
] as const;

const CHROMEBOOK = CHROME.replace(
  "Windows NT 10.0; Win64; x64",
  "X11; CrOS x86_64 14541.0.0",
);
const TABLET_PC =
  "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; Tablet PC 2.0; Creative AutoUpdate v1.40.01)";

/** Libraries of apps, which the SDK of an app may use. */
export const OF_APP = /^(?:okhttp|dalvik|cfnetwork|darwin)\/?$/i;

/** Headers with a list of brands, and such a list. */
export const BRAND_LISTS = ["Sec-Ch-Ua", "Sec-Ch-Ua-Full-Version-List"];
export const BRANDS_OF_CHROME =
  '"Not/A)Brand";v="8", "Chromium";v="126", "Google Chrome";v="126"';

/** A request of a browser's SDK. */
export const IN_BROWSER: RuleRequest = {
  headers: { "User-Agent": [CHROME] },
  userAgent: CHROME,
  sdkPlatform: "js",
};

/** A request of the SDK for apps of the system that a user agent names. */
export const inSdk = (userAgent: string): RuleRequest => ({
  headers: {},
  sdkPlatform: /Android|okhttp/.test(userAgent) ? "android" : "ios",
});

/** A text that is in all of them says nothing about a client. */
const BROWSERS = [CHROME, FIREFOX, SAFARI, IPHONE];

/** Words that rules look for in other user agents, with clients of people that have them, too. */
const SHARED_WORDS: readonly (readonly [word: RegExp, ...of: string[]])[] = [
  [/^safari/i, CHROME, onIphone("CriOS"), onIphone("EdgiOS")],
  // Views in apps of Android have Version/4.0, whichever their version is.
  [
    /^version\/(?!4|.*chrome)/i,
    phone("Pixel 8; wv").replace(" Chrome", " Version/4.0 Chrome"),
  ],
  [/^(?:mozilla|gecko|applewebkit|khtml|windows)/i, CHROME],
  [/^(?:ruby|java)$/i, inApp("ruby"), inApp("java")],
  [
    /^https?$/i,
    `${CHROME} ||| TabID: 643408467 | Initiator: https://shop.example`,
  ],
  [/^mac os x$/i, IPHONE],
  [/^linux$/i, phone("Pixel 8")],
  [/^(?:x11|os x|x86(?:_64)?)$/i, CHROMEBOOK, FIREFOX],
  [/^tablet$/i, TABLET_PC],
  [
    /^via$/i,
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  ],
];

/** Apps, whose names have the words of bots or the name of a company with a crawler (public lists of bots). */
const APPS = [
  ...["DuckDuckGo/7", "[LinkedInApp]/29.4", "[Pinterest/iOS]", "DaumApps/12.5"],
  ...["Twitter for iPhone/10.45", "NAVER(inapp; search; 1020; 12.5.2)"],
  ...["baiduboxapp/13.50", "HMSCore 16.13.0", "(AirWatch Browser v24.06)"],
  ...["YandexSearch/75.0", "BingSapphire/24.2", "CamScanner/16.50"],
];

/** Programs that fetch what a message links to: the messenger's name, and their user agents. */
const PREVIEWS = [
  ...["Discordbot/2.0", "Slackbot 1.0", "WhatsApp/2.23.20.0"],
  "TelegramBot (like TwitterBot)",
].map((each) => [/^[A-Z]\w+?(?=bot|\W)/i.exec(each)?.[0] ?? "", each] as const);

/** Names of telephones and apps, which have the words of bots in them, and their user agents. */
const LONG_NAMES = [
  ...["CUBOT P80", "SM-900FQ", "Archos 59 Titanium"].map(
    (model) => [model, phone(model)] as const,
  ),
  ["Google/google", inApp("Google/google; Pixel XL; marlin")],
  ...APPS.map(
    (app) =>
      [app.replace(/^\W|\W*v?\d{2}.*|\W$/g, ""), `${IPHONE} ${app}`] as const,
  ),
] as const;

interface Instance {
  readonly pattern: string;
  readonly userAgent: string;
}

const crawlerAgents = once(() =>
  crawlers().flatMap(({ instances = [] }) => instances),
);

/** All user agents of crawlers, one in each line. */
export const crawlerText = once(() => crawlerAgents().join("\n"));

/** The same in small letters. */
export const foldedCrawlers = once(() => crawlerText().toLowerCase());

/** The words in the user agents of crawlers, and the first spelling of each. */
export const crawlerWords = once(() => {
  const words = new Set(crawlerText().match(/[\w-]+/g));
  const spellings = new Map<string, string>();
  for (const word of words) {
    const folded = word.toLowerCase();
    if (!spellings.has(folded)) spellings.set(folded, word);
  }
  return { words, spellings };
});

/** The user agents of crawlers that have a word. The list has none for some crawlers. */
export const instancesWith = (word: string): Instance[] =>
  crawlers().flatMap(({ pattern, instances = [] }) =>
    instances
      .filter((each) => each.includes(word))
      .filter((each) => each.split(/[^\w-]/).includes(word))
      .map((userAgent) => ({ pattern, userAgent })),
  );

/** All user agents of crawlers; none if a plain text is in none of them. */
export const crawlersWith = (text = "") =>
  crawlerText().includes(text) ? crawlerAgents() : [];

const withoutAddress = (userAgent: string) =>
  userAgent.replace(/;? ?(?<!\S)\S*(?::\/\/|@)[^\s)]+/g, "");

/** The user agents of crawlers without the addresses of their owners. */
export const bareCrawlers = once(() => crawlerAgents().map(withoutAddress));

/** Well-known user agents: browsers, apps, crawlers and tools. */
export const REAL_USER_AGENTS: readonly string[] = KNOWN_USER_AGENTS.map(
  ({ userAgent }) => userAgent,
);

/** What well-known user agents say, without addresses and in small letters. */
const SAID = REAL_USER_AGENTS.map((userAgent) => ({
  userAgent,
  folded: withoutAddress(userAgent).toLowerCase(),
}));

/** Well-known crawlers and tools that have a word in other letter case only, if they are many and others have it as it is written. */
export function inOtherCase(word: string): readonly string[] {
  const having = SAID.filter(({ folded }) =>
    folded.includes(word.toLowerCase()),
  ).map(({ userAgent }) => userAgent);
  const missed = having.filter((each) => !each.includes(word));
  return missed.length > 0 && missed.length * LEAST_MISSED >= having.length
    ? missed
    : [];
}

/** One in so many is missed. */
const LEAST_MISSED = 4;

/** The ends of crawlers' names, which people add. */
export const KIND = /[-_]?(?:bot|spider|crawler)$/i;

/** User agents that nobody means by a part of a word in them. */
const WANTED = [...[...BROWSERS, TABLET_PC], ...REAL_USER_AGENTS];

/** User agents of browsers on all systems. */
export const OF_BROWSERS: readonly string[] = [
  ...BROWSERS,
  ...["CriOS", "FxiOS", "EdgiOS"].map(onIphone),
];

/** The user agents of all known clients; without those of crawlers if a plain text is in none of them. */
export const knownAgents = (text = ""): readonly string[] =>
  crawlerText().includes(text) ? allAgents() : NO_CRAWLERS;

const NO_CRAWLERS = [...OF_BROWSERS, ...REAL_USER_AGENTS];
const allAgents = once(() => [
  ...new Set([...crawlerAgents(), ...NO_CRAWLERS]),
]);

/** The first browser that has a word of other user agents. */
export const browserWith = (word: string): string | undefined =>
  SHARED_WORDS.find(([shared]) => shared.test(word))?.[1];

/** User agents that a text is in, although it is the name of none of these clients. */
export function withinOthers(text: string): readonly string[] {
  const sought = text.toLowerCase();
  const [word = ""] = /[a-z](?:[a-z ]*[a-z])?/i.exec(text) ?? [];
  const bare = text.replace(/^\W+|\W+$/g, "");
  const has = (each: string) => each.toLowerCase().includes(sought);
  if (sought === "") return [];
  if ((sought.length > 1 && BROWSERS.every(has)) || /^\W$/.test(text))
    return WANTED.filter(has);
  const [, ...shared] =
    SHARED_WORDS.find(([words]) => words.test(word) || words.test(bare)) ?? [];
  const inNames = [...LONG_NAMES, ...(sought.length > 3 ? PREVIEWS : [])]
    .filter(
      ([name, userAgent]) =>
        sought.length < name.length &&
        name.toLowerCase().includes(sought) &&
        !has(userAgent.replace(name, "")),
    )
    .map(([, userAgent]) => userAgent);
  const inWords = /^(?!bot)[a-z]{2,3}$/.test(sought)
    ? WANTED.filter(
        (each) =>
          new RegExp(`[a-z]${sought}[a-z]`, "i").test(each) &&
          !new RegExp(`(?<![a-z])${sought}|${sought}(?![a-z])`, "i").test(each),
      )
    : [];
  const found = [...shared, ...inNames, ...inWords];
  if (!/^[a-z]{4,}$/.test(sought)) return found;
  const { spellings } = crawlerWords();
  const [, stem] = /^(.+)(?:bot|spider|crawler)$/.exec(sought) ?? [];
  if (stem === undefined && !spellings.has(sought)) return found;
  const [longer, ...others] = [...spellings.keys()].filter(
    (name) => name !== sought && name.endsWith(sought),
  );
  // A word such as rss, at the end of several names, stands for all of them.
  const isName =
    others.length === 0 || (stem !== undefined && !spellings.has(stem));
  return isName && longer && /[a-z]$/.test(longer.slice(0, -sought.length))
    ? [
        ...found,
        ...instancesWith(spellings.get(longer) ?? "").map(
          ({ userAgent }) => userAgent,
        ),
      ]
    : found;
}

/** Versions of systems that browsers write for all later systems, with such a user agent. */
const FROZEN: readonly (readonly [version: RegExp, ...of: string[]])[] = [
  [/^(?:Intel )?Mac OS X 10[._]15(?:[._]7)?[;)]?$/i, SAFARI],
  [/^Windows NT 10(?:\.0)?[;)]?$/i, CHROME],
  [
    /^(?:Chrom(?:e|ium)\/\d?|Android\D*\d?)?\.?0\.0\.0$/i,
    CHROME,
    phone("Pixel 8"),
  ],
  [/^Android 10[;)]?$/i, phone("K").replace("Android 13", "Android 10")],
];

/** A user agent of a later system that has the version of an earlier one. */
export const laterSystem = (text: string): readonly string[] =>
  FROZEN.flatMap(([version, ...of]) => (version.test(text) ? of : []));
