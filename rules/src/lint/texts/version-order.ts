import {
  compareVersions,
  versionOf,
  type Version,
} from "../../language/text/version";
import type { TextComparison } from "../set/comparison";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import {
  IN_BROWSER,
  inVersion,
  OF_BROWSERS,
  REAL_USER_AGENTS,
} from "./clients";
import { numerically } from "./other-languages";
import { finds, type TextClaim } from "./text-claim";

const HOLDS: Record<string, (order: number) => boolean> = {
  "<": (order) => order < 0,
  ">": (order) => order > 0,
  "<=": (order) => order <= 0,
  ">=": (order) => order >= 0,
};

/** A pattern for a digit of each number of a version. */
const OF_DIGITS =
  /^\^\(?((?:\[\d-\d\]|\d)(?:(?:\\\.|\[\.\])(?:\[\d-\d\]|\d))+)/;

/** The claim that a pattern has a least or a most digit for each number, as if they were apart. */
function digitByDigit(comparison: TextComparison): TextClaim | undefined {
  const [, body = ""] = OF_DIGITS.exec(comparison.text) ?? [];
  const ranges = (body.match(/\[\d-\d\]|\d/g) ?? []).map((each) => {
    const digits = each.replace(/\D/g, "");
    return { least: Number(digits[0]), most: Number(digits.at(-1)) };
  });
  const versionWith = (of: "least" | "most", at: number, number: number) =>
    ranges.map((range, i) => (i === at ? number : i < at ? range[of] : 0));
  const first = ranges.findIndex(({ least, most }) => least < most);
  const shows = ranges.flatMap(({ least, most }, at) =>
    first < 0 || at <= first
      ? []
      : [
          ...(least > 0 ? [versionWith("most", at, least - 1)] : []),
          ...(most < 9 ? [versionWith("least", at, most + 1)] : []),
        ],
  );
  if (shows.length === 0) return undefined;
  const bound = (of: "least" | "most") =>
    ranges.map((each) => each[of]).join(".");
  const isOpen = ranges.every(({ most }) => most === 9);
  return {
    says: (value) =>
      `each number is compared by itself, so ${value} is not found, which lies between ${bound("least")} and ${bound("most")}`,
    shows: shows.map((each) =>
      [...each, 0, 0].slice(0, Math.max(3, each.length)).join("."),
    ),
    instead: isOpen ? numerically(comparison, ">=", bound("least")) : undefined,
    advice: "list the versions, or write a pattern for each beginning",
  };
}

/** Products, and a version of each of 2025. */
const IN_USE = Object.entries({
  ...{ "Chrome/": 140, "CriOS/": 140, "Edg/": 140, "Firefox/": 142 },
  ...{ "FxiOS/": 142, "Version/": 26, "iPhone OS ": 26, "Android ": 16 },
});

const USER_AGENTS = [...OF_BROWSERS, ...REAL_USER_AGENTS];

const agentWith = (product: string) =>
  USER_AGENTS.find((each) => each.includes(product)) ?? "";

/** The claim that versions in a row are looked for, up to the newest of some day. */
function endsTooEarly(comparison: TextComparison): TextClaim | undefined {
  const { operator, text, ofPart } = comparison;
  const isPattern = operator === "matches";
  const tests = isPattern ? [comparison] : ofPart;
  if (!/\d/.test(text) || (!isPattern && comparison !== ofPart[0]))
    return undefined;
  for (const [product, inUse] of IN_USE) {
    if (!text.toLowerCase().includes(product.slice(0, 3).toLowerCase()))
      continue;
    const userAgent = agentWith(product);
    const withVersion = (version: number) =>
      inVersion(userAgent, product, `${version}`);
    const isFound = Array.from({ length: inUse + 1 }, (_, version) => {
      const value = withVersion(version);
      return tests.some((each) => finds(each, value));
    });
    const last = isFound.lastIndexOf(true);
    const row = isFound.slice(Math.max(0, last - LEAST_IN_A_ROW), last);
    if (last < inUse && row.length === LEAST_IN_A_ROW && row.every(Boolean))
      return {
        says: () =>
          `this ends at ${product}${last}, and ${product}${inUse} is in use`,
        shows: [withVersion(inUse)],
        advice: "name the old versions, and deny these",
        around: IN_BROWSER,
        only: "kept out",
      };
  }
  return undefined;
}

/** Fewer versions in front of the last may be meant by themselves. */
const LEAST_IN_A_ROW = 3;

/** The claim that versions are compared as texts. */
export function versionOrder(
  comparison: TextComparison,
): TextClaim | undefined {
  const { operator, text, part } = comparison;
  const holds = HOLDS[operator];
  if (operator === "matches" && part === "sdk.version")
    return digitByDigit(comparison);
  if (!holds)
    return USER_AGENT_PARTS.includes(part)
      ? endsTooEarly(comparison)
      : undefined;
  // Whether a value is compared otherwise as a text than its number with another number.
  const isWrong = (value: string, order: number) =>
    holds(value < text ? -1 : value > text ? 1 : 0) !== holds(order);
  const says = (value: string) =>
    `'${value}' comes ${value < text ? "before" : "behind"} '${text}', because texts are compared character by character`;
  const version = versionOf(text);
  if (!version) {
    // Other signs stand in front of the last number, such as in `1.0.b9`.
    const [, start = "", last] =
      /^(\D{0,2}\d[\w.-]*\D)(\d{1,3})$/.exec(text) ?? [];
    const shows = [10, 9, 100, 2]
      .filter((each) => last && isWrong(start + each, each - Number(last)))
      .map((each) => start + each);
    return { says, shows, advice: "list the versions, or use a pattern" };
  }
  const [first = 0, second] = version;
  const tried: Version[] = [10, 11, 9, 2, 100].flatMap((number) =>
    second === undefined ? [] : [[first, number, 0]],
  );
  const shows = tried
    .concat([10, 9, 100, 2].map((number) => [number, 0, 0]))
    .filter((each) => isWrong(each.join("."), compareVersions(each, version)))
    .map((each) => each.join("."));
  return {
    says,
    shows: shows.slice(0, 1),
    instead: numerically(comparison, operator, text),
  };
}
