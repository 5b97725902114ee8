import type { RuleRequest } from "../../language";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import type { TextComparison } from "../set/comparison";
import {
  CHROME,
  IN_BROWSER,
  INTERNET_EXPLORER,
  IPHONE,
  OF_APPS,
  onIphone,
  phone,
} from "./clients";
import {
  holds,
  isWhole,
  one,
  samplesOf,
  type Instead,
  type Test,
  type TextClaim,
} from "./text-claim";

/** A row of the table: what some of the clients send that a comparison means, and that it does not hold for. */
interface AlsoMeant extends Pick<TextClaim, "only" | "severity" | "advice"> {
  readonly of: readonly string[];
  /** The texts that the row is about. Default: all. */
  readonly text?: RegExp;
  readonly why: string;
  /** Whether it is only known what is meant if the rule compares the part with nothing else. */
  readonly isAlone?: boolean;
  readonly values: (text: string, comparison: TextComparison) => string[];
  readonly instead?: (text: string, test: Test) => Instead;
  readonly around?: (value: string) => RuleRequest;
  readonly isRight?: TextClaim["isRight"];
}

/** Other names of a browser, by the names that rules look for, each in a user agent. */
const OTHER_NAMES: readonly (readonly [RegExp, string, string])[] = [
  [/^Chrome\b/, "CriOS", onIphone("CriOS")],
  [/^Firefox\b/, "FxiOS", onIphone("FxiOS")],
  [/^Edg\b/, "EdgiOS", onIphone("EdgiOS")],
  [/^Edg(?:e|A|iOS)\b/, "Edg", `${CHROME} Edg/126.0.0.0`],
  [/^Opera\b/, "OPR", `${CHROME} OPR/112.0.0.0`],
  [/^MSIE\b/, "Trident", INTERNET_EXPLORER],
];

const otherName = (text: string) =>
  OTHER_NAMES.find(([name]) => name.test(text));

/** The SDK of the system that a user agent names. */
const sdkOf = (userAgent: string) =>
  /Android|okhttp/.test(userAgent) ? "android" : "ios";

const SYSTEM = /^(?:android|iphone|ipad)/i;

const ROWS: readonly AlsoMeant[] = [
  {
    of: USER_AGENT_PARTS,
    why: "it is a page on such a device: the platform is that of the SDK",
    text: SYSTEM,
    only: "denied",
    values: (text) =>
      [IPHONE, IPHONE.replace("iPhone", "iPad"), phone("Pixel 8")].filter(
        (each) => each.toLowerCase().includes(text.toLowerCase()),
      ),
    around: () => IN_BROWSER,
    // A rule for pages, and one for all of these devices, mean them.
    isRight: (request, isMatch) => {
      const sdkPlatform = sdkOf(request.userAgent ?? "");
      return (
        isMatch({ ...request, sdkPlatform }) ||
        !isMatch({ ...request, sdkPlatform: "unknown" })
      );
    },
    advice: "test the platform or the user agent, and not both",
  },
  {
    of: USER_AGENT_PARTS,
    why: "apps send the name of the app or of a library",
    text: SYSTEM,
    isAlone: true,
    only: "denied",
    values: () => [...OF_APPS],
    around: (value) => ({ headers: {}, sdkPlatform: sdkOf(value) }),
    advice: "test the platform alone",
  },
  {
    of: USER_AGENT_PARTS,
    why: "the same browser has this name on other systems, or in other versions",
    isAlone: true,
    only: "kept out",
    values: (text) =>
      (otherName(text)?.slice(-1) as string[] | undefined) ?? [],
    instead: (text, { operator }) =>
      one(operator, text, text.replace(/^\w+/, otherName(text)?.[1] ?? "")),
    around: () => IN_BROWSER,
    advice: "look for all names of the browser",
  },
  {
    of: ["sdk.platform.app_package_name"],
    why: "a page has no package name",
    text: /./,
    only: "denied",
    severity: "note",
    values: () => [""],
    around: () => IN_BROWSER,
    advice: "ask for the platform first, such as sdk.platform.is_android",
  },
  {
    of: ["Accept"],
    why: "the SDK sends requests of scripts, which take any type",
    text: /^text\/html/,
    only: "kept out",
    values: () => ["*/*"],
    around: () => IN_BROWSER,
    advice: "test sdk.platform.is_browser",
  },
  {
    of: ["Accept-Language"],
    why: "the value has all languages of the user",
    text: /^[a-z]{2}(?:-[A-Z]{2})?$/,
    only: "kept out",
    values: (text, test) =>
      isWhole(test)
        ? [text.includes("-") ? `${text},en;q=0.9` : `${text}-US,${text};q=0.9`]
        : [],
    instead: (text) => one("startsWith", text),
    advice: "compare the beginning",
  },
  {
    of: ["X-Forwarded-For"],
    why: "each proxy adds an address behind it",
    text: /^[\d.]+$/,
    values: (text, test) => (isWhole(test) ? [`${text}, 198.51.100.20`] : []),
    instead: (text) => ({
      tests: [
        { operator: "==", text },
        { operator: "startsWith", text: `${text},` },
      ],
    }),
  },
  {
    of: ["Origin"],
    why: "a server of a developer has a port",
    text: /^http:\/\/(?:localhost|127\.0\.0\.1)$/,
    only: "kept out",
    values: (text, { list, operator }) =>
      isWhole({ operator }) &&
      !list.some((each) => /^\w+:\/\/localhost$/.test(each) && each !== text)
        ? [`${text}:3000`]
        : [],
    instead: (text) => ({
      tests: [
        { operator: "==", text },
        { operator: "startsWith", text: `${text}:` },
      ],
    }),
  },
  {
    of: ["sdk.version"],
    why: "a version has three numbers",
    text: /^\d+\.\d+$/,
    values: (text, test) => (isWhole(test) ? [`${text}.0`] : []),
    instead: (text) => one("startsWith", `${text}.`),
  },
  {
    of: ["sdk.version"],
    why: "a number may have more digits",
    text: /^\d+(?:\.\d+)+$/,
    values: (text, { operator, text: pattern }) =>
      operator === "matches"
        ? [...text.matchAll(/\d(?=\.|$)/g)].flatMap(({ index }) => {
            const start = text.slice(0, index);
            const end = text.slice(index + 1);
            return [..."0123456789"].every((digit) =>
              holds({ operator, text: pattern }, start + digit + end),
            )
              ? [`${start}10${end}`]
              : [];
          })
        : [],
    advice: "write [0-9]+ for a number",
  },
];

/** The claims that a comparison does not hold for some of the clients that it means. */
export const alsoMeant = (comparison: TextComparison): TextClaim[] =>
  ROWS.filter(({ of }) => of.includes(comparison.part)).flatMap((row) => {
    const { operator, ofPart } = comparison;
    const texts =
      operator === "matches"
        ? samplesOf(comparison.text).map((sample) => sample.text)
        : [comparison.text];
    const text = texts.find((each) => row.text?.test(each) ?? true);
    if (text === undefined || (row.isAlone && ofPart.length > 1)) return [];
    const test = { operator, text: comparison.text };
    const shows = row
      .values(text, comparison)
      .filter((value) => row.only === "denied" || !holds(test, value));
    const [first] = shows;
    return first === undefined
      ? []
      : {
          code: row.only === "denied" ? "matches-others" : "never-sent",
          says: (value) => `${value === "" ? "" : `'${value}': `}${row.why}`,
          shows,
          instead:
            operator === "matches"
              ? undefined
              : row.instead?.(text, {
                  operator: operator === "in" ? "==" : operator,
                  text,
                }),
          advice: row.advice ?? "compare the beginning",
          around: row.around?.(first),
          only: row.only,
          severity: row.severity,
          isRight: row.isRight,
        };
  });
