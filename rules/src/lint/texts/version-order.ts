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

/** The claim that versions are compared as texts. */
export function versionOrder(
  comparison: TextComparison,
): TextClaim | undefined {
  const { operator, text } = comparison;
  const version = versionOf(text);
  const isOrder = HOLDS[operator];
  if (!version || !isOrder) return undefined;
  const [major = 0, minor] = version;
  const tried: Version[] = [10, 11, 9, 2, 100].flatMap((number) =>
    minor === undefined ? [] : [[major, number, 0]],
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
