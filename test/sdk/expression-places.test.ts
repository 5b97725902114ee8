import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { expressionPlaces } from "../../sdk/src/rules/expression-places";

/** The character at a place of a text. */
const at = (text: string, { line, column }: { line: number; column: number }) =>
  text.split("\n")[line - 1]?.[column - 1];

describe("each character of an expression is found where the file has it", () => {
  it.each([
    ["plain", "  - name: a\n    expression: a == b && c"],
    ["single quotes", "  - expression: 'a == \"b\"'\n    name: a"],
    ["double quotes", "  - { name: a, expression: \"a == 'b'\" }"],
    [
      "a literal block",
      "  - name: a\n    expression: |\n      a == b\n        && c\n\n      && d",
    ],
    [
      "a stripped literal block",
      "  - expression: |-\n        a ||\n        b\n    name: a",
    ],
    ["JSON", '  [{"expression": "a && b"}]'],
  ])("%s", (_, rule) => {
    const text = `# a comment\nrules:\n${rule}\n`;
    const { rules } = parse(text) as { rules: { expression: string }[] };
    const { expression } = rules[0] ?? expect.fail("no rule");
    const [place] = expressionPlaces(text);
    [...expression].forEach((character, offset) => {
      const found = place?.(offset) ?? expect.fail("no place");
      expect(found.exact).toBe(true);
      expect(at(text, found) ?? "\n").toBe(character);
    });
  });
});

it.each([
  ["escaped", '  - expression: "a == \\"b\\""'],
  ["folded", "  - expression: >\n      a ==\n      b"],
  ["doubled quotes", "  - expression: 'a == ''b'''"],
])("an expression that is %s has its start as its place", (_, rule) => {
  const [place] = expressionPlaces(`rules:\n${rule}\n`);
  expect(place?.(3)).toMatchObject({ line: 2, column: 17, exact: false });
});

it("has no place for what is no rule", () => {
  expect(expressionPlaces("rules:\n  - name: a\n  - 7\n")).toEqual([
    undefined,
    undefined,
  ]);
  expect(expressionPlaces("tests: []\n")).toEqual([]);
});
