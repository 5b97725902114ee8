import { expect, it } from "vitest";
import { describeDeletions } from "../../../../provider/src/resources/filtering-rule-set/describe-deletions";

const rules = (names: string) =>
  [...names].map((name) => ({
    name,
    expression: "sdk.platform.is_ios",
    action: "deny" as const,
    status: "enabled" as const,
  }));
const percent = (before: string, after: string, most: number) =>
  /\((\d+) %\)/.exec(
    describeDeletions(rules(before), rules(after), most)?.reason ?? "",
  )?.[1];

it.each([
  ["none of four", "abcd", "dcba", 0, undefined],
  ["one of four", "abcd", "abc", 0, "25"],
  ["exactly as many as allowed", "abcd", "ab", 50, undefined],
  ["one more than allowed", "abcd", "a", 50, "75"],
  ["a renamed rule", "abcd", "abcx", 24, "25"],
  ["a third of six", "abcdef", "abcd", 33, "34"],
  [
    "a third of six, allowed as the message says",
    "abcdef",
    "abcd",
    34,
    undefined,
  ],
  ["all of three", "abc", "x", 0, undefined],
  ["all, where an empty set is meant", "abcd", "", 0, undefined],
  ["all but in name", "abcd", "wxyz", 99, "100"],
  ["all where all may be", "abcd", "wxyz", 100, undefined],
])("counts %s", (_, before, after, most, found) => {
  expect(percent(before, after, most)).toBe(found);
});
