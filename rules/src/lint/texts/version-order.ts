import {
  compareVersions,
  textOrder,
  versionOf,
  type Version,
} from "../../language/text/version";
import type { TextComparison } from "../set/comparison";
import { numerically } from "./other-languages";
import type { TextClaim } from "./text-claim";

const HOLDS: Record<string, (order: number) => boolean> = {
  "<": (order) => order < 0,
  ">": (order) => order > 0,
  "<=": (order) => order <= 0,
  ">=": (order) => order >= 0,
};

/** A pattern for the digits of two numbers of a version, each from a least digit on. */
const FROM_DIGITS = /^\^\(?\[(\d)-9\](?:\\\.|\[\.\])\[([1-9])-9\]/;

/** The claim that versions are compared as texts. */
export function versionOrder(
  comparison: TextComparison,
): TextClaim | undefined {
  const { operator, text, part } = comparison;
  const [, major, minor] =
    operator === "matches" ? (FROM_DIGITS.exec(text) ?? []) : [];
  if (major !== undefined && part === "sdk.version")
    return {
      code: "version-order",
      says: (value) =>
        `each number is compared by itself, so ${value} is not found, which is later than ${major}.${minor}`,
      shows: [`${Number(major) + 1}.0.0`, `${major}.${minor}0.0`],
      instead: numerically(comparison, ">=", `${major}.${minor}`),
    };
  const isOrder = HOLDS[operator];
  const last = /^(\D{0,2}\d[\w.-]*\D)(\d{1,3})$/.exec(text);
  if (!isOrder) return undefined;
  const version = versionOf(text);
  if (!version)
    return last?.[1]
      ? beforeNumber(comparison, isOrder, last[1], Number(last[2]))
      : undefined;
  const [first = 0, second] = version;
  const tried: Version[] = [10, 11, 9, 2, 100].flatMap((number) =>
    second === undefined ? [] : [[first, number, 0]],
  );
  const shows = tried
    .concat([10, 9, 100, 2].map((number) => [number, 0, 0]))
    .map((each) => each.join("."))
    .filter((each) => {
      const order = each < text ? -1 : each > text ? 1 : 0;
      const numeric = compareVersions(versionOf(each) ?? [], version);
      return isOrder(order) !== isOrder(numeric);
    });
  return shows.length === 0
    ? undefined
    : {
        code: "version-order",
        says: (value) => textOrder(value, text) ?? "",
        shows: shows.slice(0, 1),
        instead: numerically(comparison, operator, text),
      };
}

/** The claim for a version whose last number has other signs in front of it, such as `1.0.b9`. */
function beforeNumber(
  { text }: TextComparison,
  isOrder: (order: number) => boolean,
  start: string,
  last: number,
): TextClaim | undefined {
  const value = [10, 9, 100, 2]
    .map((number) => ({ number, each: `${start}${number}` }))
    .find(
      ({ number, each }) =>
        isOrder(each < text ? -1 : each > text ? 1 : 0) !==
        isOrder(Math.sign(number - last)),
    )?.each;
  return value === undefined
    ? undefined
    : {
        code: "version-order",
        says: () =>
          `'${value}' comes ${value < text ? "before" : "behind"} '${text}', because texts are compared character by character`,
        shows: [value],
        advice: "list the versions, or use a pattern",
      };
}
