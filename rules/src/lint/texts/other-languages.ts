import { escaped } from "../../language/regex/pattern";
import { versionOf, type Version } from "../../language/text/version";
import { beginningsOf, type TextComparison } from "../set/comparison";
import { WRITTEN_FOR_MISSING } from "../set/missing-text";
import {
  advise,
  aloneOrBefore,
  isWhole,
  one,
  type Instead,
  type Meant,
  type Test,
} from "./text-claim";

/** The comparison that a shell pattern (glob) of an origin, or of its pages, means. */
export function globTest(
  written: string,
  { operator }: TextComparison,
): Instead | Meant {
  // As in `https://*.Shop.example:443/*`: an origin has no capitals, path or default port.
  const glob = written
    .toLowerCase()
    .replace(/(?<=[^:/])\/.*$/, "")
    .replace(/(?<=^http:.*):80$|(?<!^http:.*):443$/, "");
  const end = glob.replace(/^\*+/, "");
  if (operator === "endsWith" && /^\.[^*]+$/.test(end))
    return one("endsWith", end);
  if (glob === "*")
    return {
      shows: ["https://shop.example", "https://other.example"],
      instead: { tests: [{ operator: "==", text: "", negated: true }] },
    };
  const [scheme = "https://"] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(glob) ?? [];
  const rest = glob.replace(/^(?:[a-z*][a-z0-9+.*-]*:\/\/)/i, "");
  const begins: Test = { operator: "startsWith", text: scheme };
  if (rest === "*")
    return scheme === "chrome-extension://"
      ? advise(`${scheme}shop.example`, "name the extensions that are yours")
      : { tests: [begins] };
  const under = /^\*(\.[^*]+)$/.exec(rest)?.[1];
  if (under !== undefined)
    return {
      tests: [begins, { operator: "endsWith", text: under }],
      joinedBy: "&&",
    };
  const [, domain] = /^\*\.([^*:]+):\*$/.exec(rest) ?? [];
  if (domain !== undefined)
    return one(
      "matches",
      `^${escaped(scheme)}(?:[a-z0-9-]+\\.)+${escaped(domain)}(?::[0-9]+)?$`,
    );
  const host = /^\*?([^*]+\.[^*:]+?|localhost)(?::?\*)?$/.exec(rest)?.[1];
  if (host === undefined)
    return advise(
      scheme + rest.replaceAll("*", "shop"),
      "compare the beginning and the end",
    );
  const origin = `${scheme}${host}`;
  if (rest.endsWith(":*")) return aloneOrBefore(origin, ":");
  const schemes = /^\*:\/\/|^\*[^.]/.test(glob)
    ? ["https://", "http://"]
    : [scheme];
  return one("==", ...schemes.map((each) => each + host));
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
  return `(?:${[...sameLength.reverse(), `[1-9][0-9]${more}`].join("|")})`;
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
export function numerically(
  { field }: Pick<TextComparison, "field">,
  operator: string,
  text: string,
): Instead | undefined {
  const version = versionOf(text);
  if (!version) return undefined;
  const from: Test = { operator: "matches", text: versionsFrom(version) };
  const equal: Test = {
    operator: "matches",
    text: `^${version.join("\\.")}(?:\\.0)*$`,
  };
  const below = { ...from, negated: true };
  // Only a field always has a value.
  const isVersion: Test[] = field
    ? []
    : [{ operator: "matches", text: "^[0-9]" }];
  switch (operator) {
    case ">=":
      return { tests: [from] };
    case "<":
      return { tests: [...isVersion, below], joinedBy: "&&" };
    case ">":
      return { tests: [from, { ...equal, negated: true }], joinedBy: "&&" };
    case "<=":
      return field && { tests: [below, equal] };
    default:
      return undefined;
  }
}

/** The version, or the comparison of versions, that a text means. */
export function versionsMeant(
  text: string,
  comparison: TextComparison,
): string | Instead | Meant {
  const { operator } = comparison;
  if (operator === "endsWith" && /^\.?[x*]$/i.test(text))
    return advise("3.9.1", "leave out the condition, or write a number");
  const isStart = operator === "startsWith";
  if (!isWhole(comparison) && !isStart) return text;
  const [, sign = "", version = "", rest = ""] =
    /^(v|=|\^|~|>=|>|<=|<)?\s*(\d+(?:\.\d+)*)((?:\.[x*])*|\+)$/i.exec(
      isStart ? text.replace(/\.$/, "") : text,
    ) ?? [];
  const parts = version.split(".");
  const whole = [...parts, "0", "0"]
    .slice(0, Math.max(3, parts.length))
    .join(".");
  const beginning = one("startsWith", `${version}.`);
  if (sign !== "" || rest !== "") {
    const isOrder = /[<>~^]/.test(sign) || rest === "+";
    if (parts.length === 3 && rest === "" && !isStart && !isOrder)
      return version;
    if (!isOrder || !/^\+?$/.test(rest)) return beginning;
    const order = /[<>]/.test(sign) ? sign : ">=";
    return { shows: [whole], instead: numerically(comparison, order, version) };
  }
  if (isWhole(comparison) && /^\d+$/.test(text))
    return beginningsOf(comparison.ofPart).includes(`${text}.`)
      ? text
      : beginning;
  // Digits with dots, a comma, a name in front.
  const [, digits] =
    /^(?:[a-z]+[/ @-]v?)?(\d+(?:[.,]\d+)*)$/i.exec(
      isStart ? text : text.replace(/\.$/, ""),
    ) ?? [];
  if (digits !== undefined && !versionOf(text)) {
    const right = digits.replaceAll(",", ".").replace(/(^|\.)0+(?=\d)/g, "$1");
    return isStart ? aloneOrBefore(right, ".") : right;
  }
  // Two versions of a range, or a word.
  const [, from] = /^([\d.]+)\s*(?:-|\.\.+)\s*[\d.]+$/.exec(text) ?? [];
  const isWord =
    /^[a-z][a-z ]*$/i.test(text) && !WRITTEN_FOR_MISSING.test(text);
  return from !== undefined || isWord
    ? advise(
        from ?? "3.9.1",
        "write the version, or a pattern for all intended versions",
      )
    : text;
}
