import type { Rule } from "@devid/sdk";
import { expect, it } from "vitest";
import { ruleChanges } from "../../provider/src/rule-changes";

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  expression: `sdk.version == "${name}"`,
  action: "allow",
  status: "enabled",
  ...more,
});
const [a, b, c] = [rule("a"), rule("b"), rule("c")];

it.each<[string, Rule[], Rule[], string[]]>([
  ["nothing", [a, b], [a, b], []],
  ["an undefined answer", [a], [{ ...a, denyWith: undefined }], []],
  ["an addition", [a, c], [a, b, c], ['+ "b": allow if sdk.version == "b"']],
  ["a removal", [a, b, c], [a, c], ['- "b": allow if sdk.version == "b"']],
  [
    "an edit",
    [a],
    [rule("a", { action: "deny", denyWith: "Forbidden" })],
    ['~ "a" action: allow -> deny', '~ "a" denyWith: none -> Forbidden'],
  ],
  [
    "a switch",
    [a],
    [rule("a", { status: "disabled" })],
    ['~ "a" status: enabled -> disabled'],
  ],
  ["another order", [a, b, c], [a, c, b], ['~ order: now "a", "c", "b"']],
  [
    "everything at once",
    [a, b, c],
    [c, rule("a", { expression: "true" }), rule("d")],
    [
      '+ "d": allow if sdk.version == "d"',
      '- "b": allow if sdk.version == "b"',
      '~ "a" expression: sdk.version == "a" -> true',
      '~ order: now "c", "a"',
    ],
  ],
])("tells %s", (_, before, after, lines) => {
  expect(ruleChanges(before, after)).toEqual(lines);
});
