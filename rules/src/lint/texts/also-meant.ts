import { keepingResults } from "../../keeping-results";
import { parseIp, type RuleRequest } from "../../language";
import { escaped } from "../../language/regex/pattern";
import { addressNumber } from "../../solver/integer-set";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import type { TextComparison } from "../set/comparison";
import {
  BRAND_LISTS,
  BRANDS_OF_CHROME,
  CHROME,
  IN_BROWSER,
  IN_INSTAGRAM,
  inOtherCase,
  inSdk,
  IN_VIEW,
  INTERNET_EXPLORER,
  IPHONE,
  KIND,
  OF_APP,
  OF_APPS,
  onIphone,
  phone,
  SAFARI,
} from "./clients";
import { ADDRESS_HEADERS, textsIn } from "./matches-others";
import {
  aloneOrBefore,
  finds,
  holds,
  isWhole,
  one,
  type Instead,
  type TextClaim,
} from "./text-claim";
import { userAgentOf } from "./user-agent-words";

/** What some of the clients send that a comparison means, and that it does not hold for. */
interface AlsoMeant extends Pick<TextClaim, "only" | "severity" | "isRight"> {
  readonly of: readonly string[];
  /** The texts that the row is about. */
  readonly text: RegExp;
  readonly why: string;
  /** Whether it is only known what is meant if the rule compares the part with nothing else. */
  readonly isAlone?: boolean;
  readonly values: (
    text: string,
    comparison: TextComparison,
  ) => readonly string[];
  readonly instead?: (
    text: string,
    operator: "==" | "contains",
  ) => Instead | undefined;
  readonly around?: (value: string) => RuleRequest;
  readonly advice: string;
}

const OF_NAVIGATION =
  "text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8";

/** An address of IPv6, or its beginning, with all of its groups: short ones, and ones of four digits. */
function inFull(text: string): string[] {
  const address = parseIp(text);
  const full =
    address?.length === 16
      ? addressNumber(address).toString(16).padStart(32, "0")
      : text.replace(/[\da-f]+/g, (group) => group.padStart(4, "0"));
  const groups = full.replace(/(?<=^(?:\w{4})+)(?=\w{4})/g, ":");
  return [groups.replace(/\b0+(?=\w)/g, ""), groups];
}

/** With a blank behind each part of a list or parameter, or without. */
const blanks = (text: string) =>
  text.replace(/([,;]) ?/g, text.includes(" ") ? "$1" : "$1 ");

/** Headers of several values, or of a value with parameters. */
const LISTS = ["Accept", "Accept-Encoding", "Accept-Language", "Content-Type"];
/** Headers in which the grammar ignores letter case. */
const CASELESS = [...LISTS, "Connection", "Upgrade", "Authorization"];

/**
 * One other form of a value: the headers; the part of a text that differs in it; what stands
 * there instead; and what finds both forms: an operator, or a sign behind the text.
 */
type Form = readonly [
  of: string | readonly string[],
  text: RegExp,
  form: string | ((text: string) => string | string[]),
  by?: string,
];

/**
 * Other forms of the same value that the grammar of a header allows (RFC 9110, 4647, 5952),
 * by where the comparison is a mistake: everywhere, only in a rule that keeps the form out,
 * or everywhere as a note.
 */
const FORMS: Readonly<Record<"" | "kept out" | "note", readonly Form[]>> = {
  "": [
    ["Accept", /^text\/html$|.*xhtml.*|^image\/.*/, OF_NAVIGATION, "contains"],
    ["Accept-Encoding", /^(?:br|zstd)$/, "gzip, br, zstd", "contains"],
    ["Cookie", /^[\w.-]+=[^;]+$/, "theme=dark; $&", "contains"],
    ["Cookie", /^[\w.-]+$/, "theme=dark; $&=", "contains"],
    ["Content-Type", /^multipart\/[a-z-]+$/, "$&; boundary=x", "startsWith"],
    ["X-Forwarded-For", /^\d+(\.\d+){3}$|.*:.*:.*/, "$&, 203.0.113.9", ","],
    ["sdk.version", /^\d+\.\d+$/, "$&.0", "."],
    [BRAND_LISTS, /^".*/, '"Not/A)Brand";v="8", $&'],
    ["Forwarded", /for=([\da-f]*:[\da-f:]+)/i, 'for="[$1]"'],
    ["Sec-Ch-Ua-Platform", /Chrome(?= OS)/, "Chromium"],
    ["Accept-Language", /^zh-(?=CN|SG)/, "zh-Hans-"],
    ["Accept-Language", /^zh-(?=TW|HK|MO)/, "zh-Hant-"],
    ["Accept-Language", /^(?:sr|uz|az)-(?=RS|BA|ME|UZ|AZ)/, "$&Latn-"],
  ],
  "kept out": [
    ["Accept", /^[a-z]+\/[\w.+-]+$/, "$&, */*", "contains"],
    ["Accept-Language", /^[a-z]{2}(-[A-Z]{2})?$/, "$&,x;q=0.5", "startsWith"],
    [
      "Content-Type",
      /^(text|application)\/[^;]*$/,
      "$&; charset=x",
      "startsWith",
    ],
    ["Origin", /^http:\/\/(localhost|127\.0\.0\.1)$/, "$&:3000", ":"],
    ["X-Forwarded-Host", /^[\w-]+(\.[\w-]+)+$/, "$&, gateway.example", ","],
    [CASELESS, /[A-Z]/, (text) => text.toLowerCase()],
    [LISTS, /[,;]/, blanks],
  ],
  note: [
    [ADDRESS_HEADERS, /:/, inFull],
    ["X-Forwarded-For", /.*:.*:.*/, "$&:51108"],
    ["X-Forwarded-For", /.*:.*:.*/, "[$&]:51108"],
    // Pseudo IPv4 of Cloudflare.
    ["Cf-Connecting-Ip", /.*:.*/, "240.16.0.1"],
  ],
};

/** Browsers, another name of each on some system or in some version, and a user agent with it. */
const OTHER_NAMES: readonly (readonly [RegExp, string, string])[] = [
  [/^Chrome\b/i, "CriOS", onIphone("CriOS")],
  [/^Firefox\b/i, "FxiOS", onIphone("FxiOS")],
  [/^Edg\b/i, "EdgiOS", onIphone("EdgiOS")],
  [/^Edg(?:e|A|iOS)\b/i, "Edg", `${CHROME} Edg/126.0.0.0`],
  [/^Opera\b/i, "OPR", `${CHROME} OPR/112.0.0.0`],
  [/^MSIE\b/i, "Trident", INTERNET_EXPLORER],
];

/** Crawlers, and what fetches pages for the same company when somebody asks (the documentation of each). */
const FETCHERS = Object.entries({
  GPTBot: /^(?:ChatGPT-User|OAI-SearchBot)\b/i,
  ClaudeBot: /^Claude-(?:User|SearchBot)\b/i,
  PerplexityBot: /^Perplexity-User\b/i,
});

/** Whether a comparison that finds a name and a version finds each version. */
const isOfAnyVersion = (found: string, comparison: TextComparison) =>
  ["6.0", "9.80", "11.5.2", "79.1", "126.0.0.0"].every((version) =>
    finds(comparison, found.replace(/^(\w+\W?).*/s, `$1${version};`)),
  );

/** What the SDK in pages of another site than the service's sends (Fetch Metadata; Fetch standard). */
const OF_SDK = {
  Accept: "*/*",
  "Sec-Fetch-Dest": "empty",
  "Sec-Fetch-Mode": "cors",
  "Sec-Fetch-Site": "cross-site",
};

const DEVICES = [IPHONE, IPHONE.replace("iPhone", "iPad"), phone("Pixel 8")];
const TABLET = phone("SM-X700").replace(" Mobile", "");
const TELEVISION = TABLET.replace("SM-X700", "BRAVIA 4K VH2");
const OF_SYSTEM = /^(?:android|iphone|ipad)/i;

const having = (userAgents: readonly string[]) => (text: string) =>
  userAgents.filter((each) => each.toLowerCase().includes(text.toLowerCase()));

const isOfShell = (origin: string) =>
  /^(?!http:)\w+:\/\/localhost$/.test(origin);
const PAGES = ["https://shop.example/", "http://shop.example/"];

/** A value like a text, if a comparison holds only for the text. */
const spared =
  (like: (text: string) => string): AlsoMeant["values"] =>
  (found, comparison) =>
    [like(found)].filter((value) => !finds(comparison, value));

const formRow = (only: string, [of, text, form, by = ""]: Form): AlsoMeant => ({
  ...{ of: [of].flat(), text, why: "the same value in another form" },
  ...(only === "kept out" ? { only } : only === "note" && { severity: only }),
  values: (found, { operator, ofPart, text: written }) =>
    // An app shell, unlike a developer's server, has no port; whoever ends a pattern means its end.
    (by === ":" && ofPart.some(({ text }) => isOfShell(text))) ||
    (operator === "matches" && !(only && written.includes(found)))
      ? []
      : [
          typeof form === "string" ? found.replace(text, form) : form(found),
        ].flat(),
  advice: "look for each form of the value",
  instead: (found, operator) =>
    by.length > 1
      ? one(by as "contains", found)
      : by !== "" && operator === "=="
        ? aloneOrBefore(found, by)
        : undefined,
});

/** What is noted of rules that deny it, because it may be meant. */
const NOTES: readonly AlsoMeant[] = [
  {
    of: ["sdk.platform.app_package_name"],
    why: "a page has no package name",
    text: /^/,
    values: () => [""],
    around: () => IN_BROWSER,
    advice: "ask for the platform first, such as sdk.platform.is_android",
  },
  {
    of: ["Origin", "Referer", "Host"],
    why: "most sites have the same pages with and without www",
    // Nobody has pages under the domains that are reserved for documentation and tests (RFC 2606).
    text: /^(?:https?:\/\/)?(?:www\.)?[\w-]+\.(?!example|test|invalid)[a-z]{2,}\/?$/,
    values: spared((text) =>
      text.replace(/(?<=^|:\/\/)(www\.)?(?!http)/, (www) =>
        www ? "" : "www.",
      ),
    ),
    advice:
      "compare both hosts, unless one of them only redirects to the other",
  },
  {
    of: ["Origin", "Referer"],
    why: "most pages have the scheme https",
    text: /^http:\/\/(?!localhost)[\w.-]*[a-z]\/?$/,
    only: "kept out",
    around: () => IN_BROWSER,
    values: spared((text) => text.replace("http", "https")),
    advice: "compare https, too",
  },
  {
    of: ["Origin"],
    why: "apps made with Capacitor have it, too",
    text: /^(?::\/\/)?localhost$/,
    values: (_, { negated }) =>
      negated ? [] : ["https://localhost", "capacitor://localhost"],
    advice: "compare the scheme and the port, too",
  },
  {
    of: ["Accept-Language"],
    why: "other countries speak this language, too",
    text: /^[a-z]{2}-[A-Z]{2}$/,
    values: (text, { negated }) =>
      ["en-GB", "es-MX", "fr-CA", "de-AT", "pt-PT", "zh-TW"].filter(
        (other) =>
          negated && other !== text && other.startsWith(text.slice(0, 3)),
      ),
    advice: "compare the language alone",
  },
  {
    of: ["Referer"],
    why: "pages within apps have such a referer",
    text: /^(?:https?)?:\/\/$/,
    values: (_, { negated }) =>
      negated ? ["android-app://com.google.android.gm/"] : [],
    advice: "let the schemes of apps in, too",
  },
  {
    of: ["Origin", "Referer"],
    why: "another domain ends so, too",
    // Nobody has other domains under those that are reserved for documentation and tests (RFC 2606).
    text: /^\w[\w-]*\.(?!example|test|invalid)[a-z]{2,}\/?$/,
    values: (text, { negated }) => (negated ? [] : [`https://my${text}`]),
    advice: "compare it with :// and with a dot in front",
  },
  {
    of: ["Accept-Language"],
    why: "its countries have scripts of their own",
    text: /^zh-?$/,
    values: (_, { negated }) => (negated ? [] : ["zh-TW,zh;q=0.9"]),
    advice: "compare the language with its country or script, too",
  },
  {
    of: ["sdk.version"],
    why: "the SDK of apps has such versions now: each platform counts its own",
    text: /^[2-9]\.?$/,
    isAlone: true,
    values: (_, comparison) =>
      ["2.6.0"].filter(
        (value) =>
          comparison.operator === "startsWith" && finds(comparison, value),
      ),
    around: () => inSdk("okhttp"),
    // A rule for apps alone means them.
    isRight: (request, isMatch) => !isMatch({ ...request, ...IN_BROWSER }),
    advice: "test the platform, too, such as sdk.platform.is_browser",
  },
];

const ROWS: readonly AlsoMeant[] = [
  {
    of: USER_AGENT_PARTS,
    why: "it is a page on such a device: the platform is that of the SDK",
    text: OF_SYSTEM,
    only: "denied",
    values: having(DEVICES),
    around: () => IN_BROWSER,
    // A rule for pages, and one for all of these devices, mean them.
    isRight: (request, isMatch) =>
      isMatch({ ...request, ...inSdk(request.userAgent ?? "") }) ||
      !isMatch({ ...request, sdkPlatform: "unknown" }),
    advice: "test the platform or the user agent, and not both",
  },
  // In a pattern with other libraries, that may be meant.
  ...([undefined, "note"] as const).map((severity): AlsoMeant => ({
    of: USER_AGENT_PARTS,
    why: "your own app may use this library, too",
    text: OF_APP,
    isAlone: true,
    only: "denied",
    severity,
    values: (text, { operator }) =>
      (operator === "matches") === (severity === "note")
        ? having(OF_APPS)(text)
        : [],
    around: inSdk,
    advice: "leave out the platforms of your apps",
  })),
  ...([undefined, "let in"] as const).map((only): AlsoMeant => ({
    of: USER_AGENT_PARTS,
    why: "on an iPhone, some pages within apps have this text and others do not, and so do other browsers than Safari",
    text: /^(?:iP(?:hone|ad).*)?(?:Safari|Version)\/?$/,
    only,
    values: (text, { ofPart, negated }) =>
      negated === (only !== undefined) &&
      ofPart.some((each) => /^iP(?:hone|ad)/.test(each.text + text))
        ? [negated ? IN_INSTAGRAM : IN_VIEW]
        : [],
    advice: "test sdk.platform, or look for the names of the apps",
  })),
  {
    of: USER_AGENT_PARTS,
    why: "letter case counts, and many write it in other letters",
    text: /^[a-z]{3,}\W*$/i,
    values: (text, comparison) =>
      isWhole(comparison) ? [] : inOtherCase(text),
    // A telephone has bot in its name, too.
    instead: (text) =>
      KIND.test(text) ? undefined : one("matches", `(?i)${escaped(text)}`),
    advice: "begin the pattern with (?i)",
  },
  ...OTHER_NAMES.flatMap(([text, name, userAgent]): AlsoMeant[] => {
    const row: AlsoMeant = {
      of: USER_AGENT_PARTS,
      why: "the same browser has this name on other systems, or in other versions",
      text,
      values: (_, { ofPart }) =>
        ofPart.some((each) => /^ip(?:hone|ad)/i.test(each.text))
          ? [userAgent]
          : [],
      instead: (found, operator) =>
        one(
          operator,
          found,
          // A short name alone is in the builds of Android, too.
          found.replace(
            /^\w+(\W?)/,
            (_, sign: string) =>
              (/[A-Z]/.test(found) ? name : name.toLowerCase()) + (sign || "/"),
          ),
        ),
      advice: "look for all names of the browser",
    };
    const values = () => [userAgent];
    return [
      row,
      {
        ...row,
        values,
        isAlone: true,
        only: "kept out",
        around: () => IN_BROWSER,
      },
      {
        ...row,
        values: (found, comparison) =>
          comparison.isBesideOthers || !isOfAnyVersion(found, comparison)
            ? []
            : spared(() => userAgent)(found, comparison),
        only: "let in",
        severity: "note",
        around: () => IN_BROWSER,
      },
    ];
  }),
  ...(["kept out", "let in"] as const).map((only): AlsoMeant => ({
    of: USER_AGENT_PARTS,
    why: "tablets with Android have no Mobile",
    text: /^(?:android.*)?mobile\W*$/i,
    only,
    // Who looks for other tablets means these, too.
    values: (found, comparison) =>
      comparison.ofPart.some(
        (each) => finds(each, "iPad") || finds(each, "Tablet"),
      )
        ? spared(() => TABLET)(found, comparison)
        : [],
    around: () => IN_BROWSER,
    advice: "look for Android alone",
  })),
  {
    of: USER_AGENT_PARTS,
    why: "televisions with Android have no Mobile either, nor have the apps of telephones",
    text: /^mobile\W*$/i,
    only: "denied",
    severity: "note",
    values: (_, { ofPart }) =>
      ofPart.some((each) => finds(each, TABLET) && !finds(each, IPHONE))
        ? [TELEVISION, OF_APPS[2]]
        : [],
    advice: "look for the names of the devices that are meant",
  },
  {
    of: USER_AGENT_PARTS,
    why: "on an iPhone, another browser has this name beside its own",
    text: /^safari\/?$/i,
    only: "let in past a rule that denies it",
    values: (_, { ofPart }) =>
      ofPart.some((each) => finds(each, CHROME) && !finds(each, SAFARI))
        ? ["CriOS", "FxiOS"].map(onIphone)
        : [],
    around: () => IN_BROWSER,
    advice: "leave out CriOS, FxiOS and EdgiOS, too",
  },
  {
    of: ["Referer"],
    why: "a browser sends the page's origin alone to another site, such as the service",
    text: /^https?:\/\/[^/]+\/.+/,
    only: "kept out",
    severity: "note",
    values: (text, { negated }) =>
      negated ? [] : [text.replace(/(?<=[^/:]\/).*/, "")],
    around: () => IN_BROWSER,
    advice: "compare the origin alone",
  },
  ...FETCHERS.map(([crawler, text]): AlsoMeant => ({
    of: USER_AGENT_PARTS,
    why: "this company collects pages by another name",
    text,
    only: "let in",
    severity: "note",
    values: spared(() => userAgentOf(crawler)),
    around: () => ({ ...IN_BROWSER, isAiBot: true }),
    advice: `look for ${crawler}, too`,
  })),
  {
    of: BRAND_LISTS,
    why: "this brand is made up, and each version has another one",
    text: /\bNot\b.*\bA\b.*\bBrand/i,
    values: () => [BRANDS_OF_CHROME],
    advice: "look for the name of the browser",
  },
  {
    of: ["Origin"],
    why: "the domain itself has pages, too",
    text: /(?:^|^https:\/\/[\w-]+)\.[\w-]+\.[a-z]{2,}$/,
    only: "denied",
    values: (text, { negated, operator, text: written, ofPart }) => {
      const apex = text.replace(/^.*?\./, "https://");
      return negated &&
        !isWhole({ operator }) &&
        holds({ operator, text: written }, apex.replace("://", "://other.")) &&
        !ofPart.some((each) => finds(each, apex))
        ? [apex]
        : [];
    },
    advice: "compare the domain itself, too",
  },
  ...Object.entries(OF_SDK).flatMap(([part, value]) =>
    (["kept out", "denied"] as const).map((only): AlsoMeant => ({
      of: [part],
      why: "the SDK in pages sends requests of scripts, with this value",
      text: /^(?:text\/html.*|same-(?:site|origin)|cors|navigate|empty|document)$/,
      only,
      severity: part === "Sec-Fetch-Site" ? "note" : undefined,
      values: () => [value],
      around: () => IN_BROWSER,
      advice: "leave the condition out, or test sdk.platform.is_browser",
    })),
  ),
  {
    of: ["Accept-Encoding"],
    why: "the library of an app may send this alone",
    text: /^(?:br|zstd|deflate)$/,
    only: "kept out",
    severity: "note",
    values: () => ["gzip"],
    around: () => inSdk("okhttp"),
    advice: "test the platform, too",
  },
  {
    of: ["Origin", "Referer"],
    why: "every page has this, so only who writes the header by hand does not",
    text: /^(?:https?)?:\/\/$/,
    only: "let in",
    values: (_, comparison) =>
      comparison.negated && PAGES.every((page) => finds(comparison, page))
        ? ["none"]
        : [],
    advice: "test whether the header was sent",
  },
  // Only extensions of Chrome can be named.
  ...([undefined, "note"] as const).map((severity): AlsoMeant => ({
    of: ["Origin"],
    why: "anybody can publish an extension",
    text: severity
      ? /^(?:moz|safari-web)-extension:\/\/$/
      : /^chrome-extension:\/\/$/,
    only: "let in",
    severity,
    values: (text) => [`${text}6f1d2c3b-4a59-4e87-b6c5-d4e3f2a1b0c9`],
    advice: "name your extension, or let it send requests from a page of yours",
  })),
  ...NOTES.map((row): AlsoMeant => ({
    ...row,
    only: row.only ?? "denied",
    severity: "note",
  })),
  ...Object.entries(FORMS).flatMap(([only, forms]) =>
    forms.map((form) => formRow(only, form)),
  ),
];

const rowsOf = keepingResults(1_000, (part) =>
  ROWS.filter(({ of }) => of.includes(part)),
);

/** The claims that a comparison does not hold for some of the clients that it means. */
export function alsoMeant(comparison: TextComparison): TextClaim[] {
  const { part, operator, ofPart, isBesideOthers } = comparison;
  const rows = rowsOf(part);
  if (rows.length === 0) return [];
  const texts = textsIn(comparison);
  return rows.flatMap(({ text: form, isAlone, values, instead, ...row }) => {
    if (isAlone && ofPart.length > 1 && isBesideOthers) return [];
    const isOfOthers = /denied|let in/.test(row.only ?? "");
    const sought = texts.filter((each) => form.test(each));
    const shows = sought
      .flatMap((each) => values(each, comparison))
      .filter((value) => isOfOthers || !finds(comparison, value));
    const [[found = ""], [first]] = [sought, shows];
    if (first === undefined) return [];
    const plain = operator === "in" ? "==" : (operator as "contains");
    return {
      ...row,
      ...(!isOfOthers && { code: "never-sent" }),
      says: (value) => `${value === "" ? "" : `'${value}': `}${row.why}`,
      shows,
      instead: operator === "matches" ? undefined : instead?.(found, plain),
      around: row.around?.(first),
    };
  });
}
