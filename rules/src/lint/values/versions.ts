import { quote } from "../../language/syntax/print-expression";
import { beginningsOf, type TextComparison } from "../set/comparison";
import {
  compareVersions,
  textOrder,
  versionOf,
  type Version,
} from "../../language/text/version";
import { WRITTEN_FOR_MISSING } from "../set/missing-text";
import { wrongPattern } from "./patterns";
import {
  aloneOrBefore,
  isWhole,
  type Mistake,
  type ValueLint,
} from "./value-lint";

const HOLDS: Record<string, (order: number) => boolean> = {
  "<": (order) => order < 0,
  ">": (order) => order > 0,
  "<=": (order) => order <= 0,
  ">=": (order) => order >= 0,
};

/** A version for which comparing texts and comparing numbers give different results. */
function misordered(operator: string, text: string): string | undefined {
  const version = versionOf(text);
  const holds = HOLDS[operator];
  if (!version || !holds) return undefined;
  const [major = 0, minor] = version;
  const candidates: Version[] = [
    ...(minor === undefined
      ? []
      : [
          [major, 10, 0],
          [major, 11, 0],
          [major, 9, 0],
          [major, 2, 0],
          [major, 100, 0],
        ]),
    [10, 0, 0],
    [9, 0, 0],
    [100, 0, 0],
    [2, 0, 0],
  ];
  return candidates
    .map((one) => one.join("."))
    .find((one) => {
      const order = one < text ? -1 : one > text ? 1 : 0;
      return (
        holds(order) !== holds(compareVersions(versionOf(one) ?? [], version))
      );
    });
}

function numbersFrom(least: number): string {
  const digits = String(least);
  const sameLength = [...digits].flatMap((digit, i) => {
    const left = digits.length - i - 1;
    // The last digit may be the same, those in front of it have to be higher.
    const lowest = Number(digit) + (left === 0 ? 0 : 1);
    if (lowest > 9) return [];
    const higher = lowest === 9 ? "9" : `[${lowest}-9]`;
    return [`${digits.slice(0, i)}${higher}${"[0-9]".repeat(left)}`];
  });
  const more = digits.length === 1 ? "+" : `{${digits.length},}`;
  const longer = `[1-9][0-9]${more}`;
  return `(?:${[...sameLength.reverse(), longer].join("|")})`;
}

/** A pattern for the versions from a lower bound, compared as numbers. */
function versionsFrom(version: Version): string {
  const numbers = [...version];
  while (numbers.length > 1 && numbers.at(-1) === 0) numbers.pop();
  const last = numbers.pop() ?? 0;
  const body = numbers.reduceRight(
    (rest, number) => `(?:${numbersFrom(number + 1)}|${number}\\.${rest})`,
    numbersFrom(last),
  );
  return `^${body}(?:[^0-9]|$)`;
}

/** A numeric comparison of versions. A missing header is below no version. */
function numerically(
  { subject: part, field }: Pick<TextComparison, "subject" | "field">,
  operator: string,
  text: string,
): string | undefined {
  const version = versionOf(text);
  if (!version) return undefined;
  const from = quote(versionsFrom(version));
  const isVersion = field ? "" : `${part} matches '^[0-9]' && `;
  const equal = quote(`^${version.join("\\.")}(?:\\.0)*$`);
  switch (operator) {
    case ">=":
      return `${part} matches ${from}`;
    case "<":
      return `${isVersion}${part} not matches ${from}`;
    case ">":
      return `${part} matches ${from} && ${part} not matches ${equal}`;
    case "<=":
      return `${isVersion}(${part} not matches ${from} || ${part} matches ${equal})`;
    default:
      return undefined;
  }
}

/** A pattern for one digit at the start. */
const FIRST_DIGIT = /^\^(?:\[[\d-]+\]|\((?:\?:)?\d(?:\|\d)+\))$/;
const TWO_DIGITS = Array.from({ length: 9 }, (_, i) => `${i + 1}0.0.0`);

const SENT =
  "Versions are numbers with dots, such as `3.9.1` and `3.11.0`. Texts are compared character by character, from the left (expr-lang).";

/** A mistake in a text that is compared with a version but is not a version. */
function noVersion(comparison: TextComparison): Mistake | undefined {
  const { operator, text } = comparison;
  const isBeginning = isWhole(comparison) || operator === "startsWith";
  // Digits with dots, a comma, a name in front; two versions of a range; a word.
  const [, version] =
    /^(?:[a-z]+[/ @-]v?)?(\d+(?:[.,]\d+)*)$/i.exec(
      isWhole(comparison) ? text.replace(/\.$/, "") : text,
    ) ?? [];
  const [, from, to] = /^([\d.]+)\s*(?:-|\.\.+)\s*([\d.]+)$/.exec(text) ?? [];
  if (!isBeginning) return undefined;
  if (version !== undefined && versionOf(text) === undefined) {
    const right = version.replaceAll(",", ".").replace(/(^|\.)0+(?=\d)/g, "$1");
    const { subject } = comparison;
    return {
      message: `a version has numbers without leading zeros, separated by dots, such as ${quote(right)}`,
      shows: right,
      ...(operator === "startsWith"
        ? {
            comparison: aloneOrBefore(subject, right, "."),
          }
        : { text: right }),
    };
  }
  const isWord =
    /^[a-z][a-z ]*$/i.test(text) && !WRITTEN_FOR_MISSING.test(text);
  const shows = from ?? (isWord ? "3.9.1" : undefined);
  return shows === undefined || (from !== undefined && to === undefined)
    ? undefined
    : {
        message: `no client sends ${quote(text)} as its version, but such as ${quote(shows)}`,
        shows,
        fix: "write the version, or a pattern for all intended versions",
      };
}

/** A mistake in a whole version that has one number. Another comparison with its beginning mends it. */
function shortVersion(comparison: TextComparison): Mistake | undefined {
  const { text, subject } = comparison;
  const isShort = isWhole(comparison) && /^\d+$/.test(text);
  if (!isShort || beginningsOf(comparison).includes(`${text}.`))
    return undefined;
  const shows = `${text}.0.0`;
  return {
    message: `a version has three numbers, as ${quote(shows)} has`,
    shows,
    comparison: `${subject} startsWith ${quote(`${text}.`)}`,
  };
}

/** Kinds of texts that are versions or numbers. */
export const VERSION_VALUES: Readonly<Record<string, ValueLint>> = {
  "version-order": {
    doc: "Versions are compared as texts, so `3.11` comes before `3.9`.",
    sent: SENT,
    example: { deny: "sdk.version < '3.9'" },
    find(comparison) {
      const { operator, text } = comparison;
      const shows = misordered(operator, text);
      return shows === undefined
        ? undefined
        : {
            message: textOrder(shows, text) ?? "",
            shows,
            comparison: numerically(comparison, operator, text),
          };
    },
  },
  "version-starts": {
    doc: "The beginning of a version ends within a number, or is searched anywhere in the version.",
    sent: SENT,
    of: ["sdk.version"],
    example: { deny: "sdk.version startsWith '3.1'" },
    find({ operator, text, subject }) {
      if (operator === "matches" && FIRST_DIGIT.test(text)) {
        const why = "its first number has more digits";
        return wrongPattern(text, `${text}\\.`, why, TWO_DIGITS);
      }
      const plain =
        operator === "matches"
          ? /^(\^?)((?:\d+\\?\.)*\d+)(?<dot>\.?)$/.exec(text)
          : undefined;
      const isStart = operator === "startsWith" || plain?.[1] === "^";
      const isPart = operator === "contains" || plain?.[1] === "";
      const version = plain ? plain[2]?.replaceAll("\\", "") : text;
      if (!(isStart || isPart) || !version || !versionOf(version))
        return undefined;
      const shows = isStart ? `${version}1.0` : `1${version}.0`;
      if (plain?.groups?.dot === ".")
        return {
          message: `${quote(`${version}0.0`)} matches, too, because a dot without \\ is any character`,
          shows: `${version}0.0`,
          comparison: `${subject} startsWith ${quote(`${version}.`)}`,
        };
      return {
        message: `${quote(shows)} ${isStart ? "starts with" : "has"} ${quote(version)}, too`,
        shows,
        comparison: aloneOrBefore(subject, version, "."),
      };
    },
  },
  "version-range": {
    doc: "A version is compared with a range of a package manager, or with a text that is not a version.",
    sent: `${SENT} The service sends one version, without signs.`,
    of: ["sdk.version"],
    example: { deny: "sdk.version == '3.x'" },
    find(comparison) {
      const { operator, text, subject } = comparison;
      const isText = !["matches", "<", "<=", ">", ">="].includes(operator);
      const [, sign = "", version = "", rest = ""] =
        /^(v|=|\^|~|>=|>|<=|<)?\s*(\d+(?:\.\d+)*)((?:\.[x*])*|\+)$/i.exec(
          operator === "startsWith" ? text.replace(/\.$/, "") : text,
        ) ?? [];
      if (!isText) return undefined;
      if (operator === "endsWith" && /^\.?[x*]$/i.test(text))
        return {
          message: `a version has numbers, as ${quote("3.9.1")} has, and no ${text.at(-1)}`,
          shows: "3.9.1",
          fix: "leave out the condition, or write a number",
        };
      if (sign === "" && rest === "")
        return shortVersion(comparison) ?? noVersion(comparison);
      const parts = version.split(".");
      const shows = [...parts, "0", "0"].slice(0, Math.max(3, parts.length));
      const isOrder = /[<>~^]/.test(sign) || rest === "+";
      const isOne =
        parts.length === 3 && rest === "" && operator !== "startsWith";
      return {
        message: `${quote(shows.join("."))} is a version, without ${sign === "" ? rest.at(-1) : sign}`,
        shows: shows.join("."),
        ...(isOne && !isOrder
          ? { text: version }
          : isOrder && (rest === "" || rest === "+")
            ? {
                comparison: numerically(
                  comparison,
                  /[<>]/.test(sign) ? sign : ">=",
                  version,
                ),
              }
            : {
                comparison: `${subject} startsWith ${quote(`${version}.`)}`,
              }),
      };
    },
  },
};
