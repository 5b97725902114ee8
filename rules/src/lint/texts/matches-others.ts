import { parseIp } from "../../language";
import { KNOWN_USER_AGENTS } from "../../language/request/known-user-agents";
import { escaped } from "../../language/regex/pattern";
import { quote } from "../../language/syntax/print-expression";
import { versionOf } from "../../language/text/version";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import { beginningsOf, type TextComparison } from "../set/comparison";
import {
  BRAND_LISTS,
  BRANDS_OF_CHROME,
  IN_BROWSER,
  inVersion,
  laterSystem,
  OF_EDGE,
  SAMSUNG,
  withinOthers,
} from "./clients";
import { SHARED_HOSTS } from "./shared-hosts";
import {
  aloneOrBefore,
  holds,
  inCaseOf,
  isMatch,
  isWhole,
  one,
  samplesOf,
  withDots,
  type Instead,
  type Test,
  type TextClaim,
} from "./text-claim";

/** Headers in which proxies write the address of a client (documentation of each proxy). */
export const ADDRESS_HEADERS: readonly string[] = [
  ...["X-Forwarded-For", "X-Real-Ip", "True-Client-Ip", "Client-Ip"],
  ...["X-Client-Ip", "Cf-Connecting-Ip", "X-Originating-Ip"],
  ...["X-Original-Forwarded-For", "X-Cluster-Client-Ip", "X-Remote-Ip"],
  ...["X-Envoy-External-Address", "Fastly-Client-Ip", "Fly-Client-Ip"],
  ...["X-Azure-Clientip", "X-Azure-Socketip", "X-Appengine-User-Ip"],
];

/** A row of the table: values of others that a comparison may match, too. */
interface Neighbours extends Pick<TextClaim, "only" | "severity" | "around"> {
  readonly of: readonly string[];
  /** Why the value is of somebody else. */
  readonly why: string;
  /** Whether a whole text can be of somebody else, too. */
  readonly isOfWholeTexts?: boolean;
  /**
   * Values like a text. Those that the comparison does not match are left out.
   * `starts`: beginnings that other comparisons ask for.
   */
  readonly values: (
    text: string,
    test: Test,
    starts?: readonly string[],
  ) => readonly string[];
  /** Whether a value belongs to the one who is meant. Default: never. */
  readonly isOwn?: (
    value: string,
    texts: readonly string[],
    test: Test,
  ) => boolean;
  /** What is probably meant, best first; the first that matches no others is offered. */
  readonly instead?: (test: Test) => readonly Instead[];
  readonly advice: string;
}

/** Texts that a comparison looks for. */
export const textsIn = ({ operator, text }: Test) =>
  operator === "matches" ? samplesOf(escapedDots(withDots(text))) : [text];

/** A text with each of its dots replaced by another character. */
const withoutDots = (text: string) =>
  [...text.matchAll(/(?<=[\w\])])\.(?=\w)/g)].map(
    ({ index }) => `${text.slice(0, index)}x${text.slice(index + 1)}`,
  );

/** An origin as a browser may send it. */
const IS_ORIGIN =
  /^(?!.*\.\.)[a-z][a-z0-9+-]*:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

const STARTS = ["", "https", "https:", "https://"].concat(
  ["www", "evil", "shop"].map((name) => `https://${name}`),
);
const ENDS = ["", ".evil.example", "evil.example"];

/** Origins with a text in them, or with a part of its host replaced. */
function originsWith(part: string, starts: readonly string[] = []): string[] {
  // Every page has a scheme, so a rule that looks for one means it.
  if (part.endsWith("://")) return [];
  const text = part.replace("://.", "://www.");
  const whole = /^\w+:\/\//.test(text)
    ? text
    : `https://${text.replace(/^:?\/*/, "")}`;
  return [
    ...ENDS.toReversed().flatMap((end) =>
      [...starts, ...STARTS].map((start) => start + text + end),
    ),
    whole.replace(/(?<=[./])([\w-]+\.[a-z]+(?::\d+)?)$/, "evil$1"),
    whole.replace(/:\/\/([^.:/]*)\./, "://$1evil."),
    whole.replace(/:\/\/([^.:/]*)\./, "://evil$1."),
    ...withoutDots(whole),
  ].filter((origin) => IS_ORIGIN.test(origin));
}

/** The domain of an owner in an address: `shop.example` for `https://www.shop.example`. */
function domainIn(address: string): string | undefined {
  const [, host = ""] =
    /^(?:[a-z][a-z0-9+.-]*)?(?:(?<=.):\/\/|^:?\/\/|^)\.?([^/:]*)/i.exec(
      address,
    ) ?? [];
  const labels = host.split(".");
  if (labels.includes("") || SHARED_HOSTS.has(host)) return undefined;
  const shared = labels.findIndex((_, i) =>
    SHARED_HOSTS.has(labels.slice(i).join(".")),
  );
  const from = shared > 0 ? shared - 1 : Math.max(0, labels.length - 2);
  return labels.length > 1 || host === "localhost"
    ? labels.slice(from).join(".")
    : undefined;
}

function isOfDomain(value: string, texts: readonly string[]): boolean {
  const domain = domainIn(value);
  return (
    texts.includes(value) ||
    (domain !== undefined && texts.map(domainIn).includes(domain))
  );
}

/** Holds for a host and the hosts under it. */
const hostTest = (host: string): Instead => ({
  tests: [
    { operator: "==", text: `https://${host}` },
    { operator: "endsWith", text: `.${host}` },
  ],
});

const WHOLE_ORIGIN =
  /^[a-z][a-z0-9+.-]*:\/\/(?:[^/:]+\.)?(?:(?<local>localhost|127\.0\.0\.1)|(?!www\.)[^/:.]+\.[a-z]{2,})$/i;

function originsMeant({ operator, text }: Test): Instead[] {
  if (operator === "matches")
    return [text, withLabels(text)].map((each) => one(operator, closed(each)));
  const found = WHOLE_ORIGIN.exec(text);
  return [
    one(operator === "in" ? "==" : operator, text),
    ...(found?.groups?.local ? [aloneOrBefore(text, ":")] : []),
    ...(found ? [one("==", text)] : []),
    ...(/^[a-z0-9][^/]*\.[a-z]/i.test(text) ? [hostTest(text)] : []),
    ...(/^\..*\.[a-z]{2,}$/i.test(text) ? [one("endsWith", text)] : []),
  ];
}

/** A pattern in which whole names with their dots may stand in front of a host, in place of any characters. */
const withLabels = (pattern: string) =>
  pattern.replace(
    /(?:\.|\[\^?[^\]]*\])[*+](?=[a-z0-9])/gi,
    "(?:[a-z0-9-]+\\.)*",
  );

/** A pattern for all of a text, in which a dot between letters is a dot. */
function closed(pattern: string): string {
  const [flags = ""] = /^\(\?i\)/.exec(pattern) ?? [];
  const escaped = withDots(pattern.slice(flags.length));
  const body = escaped.replace(/^\^|\$$/g, "");
  const isOneGroup = !/\|/.test(body.replace(/\([^()]*\)/g, ""));
  const whole = isOneGroup
    ? body
    : `(?:${escaped.replace(/(^|\|)\^/g, "$1").replace(/\$(\||$)/g, "$1")})`;
  const [first] = textsIn({ operator: "matches", text: pattern });
  const start =
    first === undefined || /^[a-z][a-z0-9+-]*:/i.test(first)
      ? "^"
      : /^:?\/\//.test(first)
        ? `^https${first.startsWith(":") ? "" : ":"}`
        : first.startsWith(".")
          ? "^https://[a-z0-9.-]+"
          : "^https://(?:[a-z0-9-]+\\.)*";
  return `${flags}${start}${whole}$`;
}

function pagesMeant({ operator, text }: Test): Instead[] {
  if (operator === "matches")
    return /\w$/.test(text) ? [one(operator, `${text}/`)] : [];
  const host = text.replace(/^(?:[a-z]*:)?\/{1,2}|\/$/g, "");
  const start = one("startsWith", `https://${host}/`);
  if (isWhole({ operator }))
    return [
      /^[^/]*\/\/[^/]+\/$/.test(text)
        ? one("startsWith", text)
        : one("==", text),
    ];
  return [
    one(operator, text),
    ...(operator === "startsWith" && !text.endsWith(".")
      ? [one(operator, `${text}/`)]
      : []),
    ...(/^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i.test(host) ? [start] : []),
  ];
}

/** A text that ends in a product, or in the name of a system, and the beginning of its version. */
const PRODUCT_WITH_VERSION = /([\w-]+[/ :])(\d+)$/;

/** Whether a text may end in any digit, so that every number is meant. */
const endsInAnyDigit = (text: string, test: Test) =>
  [..."0123456789"].every((digit) => holds(test, text.slice(0, -1) + digit));

/** User agents of a product whose version continues the digits at the end of a text. */
function laterVersions(text: string): string[] {
  const [, product = "", digits = ""] = PRODUCT_WITH_VERSION.exec(text) ?? [];
  if (product === "") return [];
  return KNOWN_USER_AGENTS.flatMap(({ userAgent }) => {
    const at = userAgent.indexOf(product);
    const version =
      /^\d*/.exec(at < 0 ? "" : userAgent.slice(at + product.length))?.[0] ??
      "";
    if (version.length <= digits.length) return [];
    // Some systems have no later versions.
    return /[/:]$/.test(product)
      ? [userAgent, inVersion(userAgent, product, `${digits}0`)]
      : [userAgent];
  });
}

const END_OF_NUMBER = "(?:[^0-9]|$)";

/** The comparison as a pattern that ends its last number. */
const endingNumber = (test: Test): Test => ({
  operator: "matches",
  text: `(?:${patternOf(test)})${END_OF_NUMBER}`,
});

const patternOf = ({ operator, text }: Test) =>
  operator === "matches" ? text : escaped(text);

/** An address with this beginning, such as `10.0.0.10` for `10.`; any other text as it is. */
const wholeAddress = (text: string) =>
  /^(?:\d+\.){1,3}$/.test(text)
    ? [...text.split(".").slice(0, -1), "0", "0"].slice(0, 3).join(".") + ".10"
    : text;

/** A pattern in which a dot behind a digit is a dot. */
const escapedDots = (pattern: string) =>
  pattern.replace(/(?<=\d)\.(?![*+?{])/g, "\\.");

const ROWS: readonly Neighbours[] = [
  {
    of: ["Origin"],
    why: "anybody can register its host",
    only: "let in",
    values: (text, _, starts) => originsWith(text, starts),
    isOwn: isOfDomain,
    instead: originsMeant,
    advice:
      "name the hosts that are yours: compare all of the origin, or its end from a dot on; a pattern needs ^https:// in front, $ at its end, and \\. for a dot",
  },
  {
    of: ["Referer"],
    why: "anybody can have such a page",
    only: "let in",
    values: (text) => [
      ...originsWith(text.replace(/(?<=[^/])\/$/, "")).map(
        (page) => `${page}/`,
      ),
      ...(/^\/[^/]|^[\w.-]+$/.test(text)
        ? [`https://evil.example${text.replace(/^\/?/, "/")}`]
        : []),
    ],
    isOwn: isOfDomain,
    instead: pagesMeant,
    advice: "compare the beginning, with the host and a slash behind it",
  },
  {
    of: ["Origin", "Referer", "Host"],
    why: "a dot stands for any character",
    only: "denied",
    severity: "note",
    values: (text) =>
      withoutDots(text).flatMap((each) => {
        const page = each.replace(/^(?!\w+:\/\/):?\/*/, "https://");
        return [`${page}.example/`, `${page}.example`, page, each];
      }),
    instead: ({ text }) => [one("matches", withDots(text))],
    advice: "write \\. for a dot",
  },
  {
    of: ["Origin"],
    why: "every site can send it, from a sandboxed frame",
    only: "let in",
    isOfWholeTexts: true,
    values: (text, test) => (isWhole(test) && text === "null" ? [text] : []),
    instead: () => [{ tests: [] }],
    advice: "name the origins that are yours",
  },
  {
    of: ["sdk.platform.app_package_name"],
    why: "the publisher of an app chooses its name",
    only: "let in",
    values: (text) =>
      /^\.?[\w.-]*\w$/.test(text)
        ? [
            `${text}evil.app`,
            `evil.${text.replace(/^\./, "")}`,
            ...withoutDots(text),
          ]
        : [],
    isOwn: (value, texts, { operator }) =>
      operator === "matches" &&
      texts.some((text) =>
        value.startsWith(`${text.split(".").slice(0, 2).join(".")}.`),
      ),
    instead: ({ operator, text }) =>
      operator !== "matches"
        ? operator !== "endsWith" && /^[a-z]/i.test(text)
          ? [aloneOrBefore(text, ".")]
          : []
        : /^[\w.]+$/.test(text)
          ? [one("==", text)]
          : [one("matches", withDots(text))],
    advice: "name the apps that are yours",
  },
  {
    of: ["sdk.version"],
    why: "its number has more digits",
    values(text, test) {
      const whole = text.replace(/\.$/, "");
      const isOfAll = endsInAnyDigit(whole, test);
      const closed = `^(?:${escapedDots(patternOf(test))})\\b`;
      const longer = [
        ...(isOfAll ? [] : [`${whole}0.0`, `${whole}1.0`]),
        ...[`1${whole}.0`, `1.${whole}`],
      ];
      return versionOf(whole)
        ? longer.filter((value) => !isMatch(closed, value))
        : [];
    },
    instead({ text }) {
      const plain = text.replaceAll("\\", "").replace(/^\^|\.$/g, "");
      return /^[\d.]+$/.test(plain)
        ? [aloneOrBefore(plain, ".")]
        : [one("matches", `^(?:${escapedDots(text)})${END_OF_NUMBER}`)];
    },
    advice: "end the number with a dot",
  },
  {
    of: USER_AGENT_PARTS,
    why: "its version has more digits",
    values: (text, test) =>
      // A digit behind several products only says that there is a version.
      test.text.includes("|") &&
      /\D\d$/.test(text) &&
      endsInAnyDigit(text, test)
        ? []
        : laterVersions(text).filter(
            (value) => !holds(endingNumber(test), value),
          ),
    instead: (test) =>
      test.operator !== "matches"
        ? [
            one(
              test.operator,
              test.text + (/ OS \d+$/.test(test.text) ? "_" : "."),
            ),
          ]
        : test.text.includes("|")
          ? [{ tests: [endingNumber(test)] }]
          : [one("matches", `${test.text}${END_OF_NUMBER}`)],
    advice: "end the number",
  },
  {
    of: USER_AGENT_PARTS,
    why: "other clients have this word",
    only: "kept out",
    values: withinOthers,
    around: IN_BROWSER,
    advice: "look for a text that only the intended user agents have",
  },
  {
    of: USER_AGENT_PARTS,
    why: "another browser has this name beside its own",
    only: "let in past a rule that denies it",
    // Of the names in these user agents, the others are of a system or an engine.
    values: (text, test) =>
      /chrom|safari/i.test(text) && !/edge?\b/i.test(test.text)
        ? [...OF_EDGE, SAMSUNG]
        : [],
    around: IN_BROWSER,
    advice: "leave out the browsers that have other names, too",
  },
  {
    of: USER_AGENT_PARTS,
    why: "later versions send it",
    only: "kept out",
    values: laterSystem,
    around: IN_BROWSER,
    advice:
      "use another sign of the old system: browsers no longer change this version",
  },
  {
    of: BRAND_LISTS,
    why: "a browser without a screen has this",
    only: "let in",
    values: (text) =>
      /^"?Chrom/.test(text)
        ? [`"HeadlessChrome";v="126", "Chromium";v="126"`]
        : [],
    instead: () => [one("contains", '"Google Chrome"')],
    advice: "look for the whole name of the browser",
  },
  {
    of: BRAND_LISTS,
    why: "other browsers, and a brand that is made up, have this",
    only: "kept out",
    values: (text) =>
      /^"?Chromium|^;?v="/.test(text)
        ? [8, 24, 99].map((version) =>
            BRANDS_OF_CHROME.replace("8", `${version}`).replace(
              "Google Chrome",
              "Microsoft Edge",
            ),
          )
        : [],
    advice: "look for the name of the browser and its version",
  },
  {
    of: ["Cookie"],
    why: "it is a part of another cookie",
    only: "let in",
    values: (text) => (/^[\w-]+=/.test(text) ? [`x${text}`, `${text}0`] : []),
    advice: "let the site check its cookies: a client writes them itself",
  },
  {
    of: ["Accept-Language"],
    why: "the user reads another language first",
    only: "kept out",
    values(text) {
      const [, tag] = /^\W*([a-z]{2}(?:-[a-z]{2})?)\W*$/i.exec(text) ?? [];
      const first = /^de/i.test(tag ?? "") ? "en" : "de";
      return tag === undefined
        ? []
        : [",", ", "].map((sign) => `${first}${sign}${tag};q=0.5`);
    },
    instead: ({ operator, text }) =>
      operator === "matches"
        ? [one("matches", `^(?:${text})`)]
        : [one("startsWith", text.replace(/^\W+/, ""))],
    advice: "compare the beginning",
  },
  {
    of: [...ADDRESS_HEADERS, "Forwarded"],
    why: "the client itself can write this header",
    only: "let in",
    isOfWholeTexts: true,
    values: (text) => [wholeAddress(text)],
    advice: "test http.request.ip, which the client cannot choose",
  },
  {
    of: ADDRESS_HEADERS,
    why: "it is an address of IPv4",
    values: (_, { text }) =>
      /a-f.*:|:.*a-f/i.test(text) && !text.includes(".")
        ? ["203.0.113.10"]
        : [],
    instead: ({ text }) => [one("matches", `${text.replace(/\$$/, "")}$`)],
    advice: "end the pattern with $",
  },
  {
    of: ADDRESS_HEADERS,
    why: "the last number has more digits",
    values: (text, { operator }) =>
      (operator === "matches"
        ? [...text.matchAll(/(?<=\d)\./g)].flatMap(({ index }) =>
            [..."0123456789"].map(
              (digit) => text.slice(0, index) + digit + text.slice(index + 1),
            ),
          )
        : operator === "contains" && /^(?:\d+\.){1,3}$/.test(text)
          ? [`1${text}`, `203.0.1${text}`].map(wholeAddress)
          : operator === "startsWith" &&
              /^(?:\d+\.){0,3}(?:[1-9]|1\d|2[0-5])$/.test(text)
            ? [`${text}0`]
            : []
      )
        .flatMap((start) =>
          ["", ".10", ".10.10", ".10.10.10"].map((end) => start + end),
        )
        .filter((value) => parseIp(value)?.length === 4),
    instead: ({ operator, text }) => [
      operator === "matches"
        ? one(operator, escapedDots(text))
        : parseIp(text)
          ? aloneOrBefore(text, ",")
          : one(operator, `${text}.`),
    ],
    advice: "end the number with a dot",
  },
];

/** Values of others that a comparison matches. */
function othersMatched(
  row: Neighbours,
  test: Test,
  { functions, ofPart }: Pick<TextComparison, "functions" | "ofPart">,
) {
  // Only the text itself equals it.
  if (isWhole(test) && !row.isOfWholeTexts) return [];
  const texts = textsIn(test).filter((text) => text !== "");
  const starts = beginningsOf(ofPart).map((start) => `${start}evil`);
  const values = texts.flatMap((text) => row.values(text, test, starts));
  return [...new Set(values)].filter(
    (value) =>
      value !== "" &&
      holds(test, inCaseOf(functions, value)) &&
      row.isOwn?.(value, texts, test) !== true,
  );
}

const ALONE = { functions: [], ofPart: [] };

/** The best of some comparisons that matches nobody else's values; undefined if there is none. */
export const safest = (
  part: string,
  meant: readonly Instead[],
): Instead | undefined =>
  meant.find(({ tests }) =>
    ROWS.every(
      (row) =>
        row.only === "kept out" ||
        !row.of.includes(part) ||
        !row.instead ||
        tests.every((test) => othersMatched(row, test, ALONE).length === 0),
    ),
  );

/** What is probably meant by a comparison, best first. */
export const meantBy = (part: string, test: Test): readonly Instead[] =>
  part === "Origin"
    ? originsMeant(test)
    : part === "Referer"
      ? pagesMeant(test)
      : part === "Accept-Language" && test.operator === "contains"
        ? [one("startsWith", test.text)]
        : [one(test.operator, test.text)];

/** Comparisons that also match values of somebody else. */
export function matchesOthers(comparison: TextComparison): TextClaim[] {
  const { part, operator, text } = comparison;
  const test = { operator, text };
  const known = ROWS.filter((row) => row.of.includes(part));
  return known.flatMap((row) => {
    const { why, instead, advice, around, only, severity } = row;
    const shows = othersMatched(row, test, comparison).slice(0, MOST_SHOWN);
    if (shows.length === 0) return [];
    return {
      says: (value) => `${quote(value)} is found, too, and ${why}`,
      shows,
      instead: safest(part, instead?.(test) ?? []),
      ...{ advice, around, only, severity },
    };
  });
}

const MOST_SHOWN = 4;
