import { expect, it } from "vitest";
import { openRuleFile } from "../../../rules/src/rule-file/rule-file";

const open = (...lines: string[]) => openRuleFile(lines.join("\n"), "f.yaml");

/** The character at this place of a text. */
const at = (text: string, { line, column }: { line: number; column: number }) =>
  [...(text.split("\n")[line - 1] ?? "")][column - 1];

it.each([
  ["plain", "    expression: a == b && c"],
  ["single quotes", "    expression: 'a == \"b\"'"],
  ["double quotes", "    expression: \"a == 'b'\""],
  ["a flow", "    { expression: \"a == 'b'\" }"],
  [
    "a literal block",
    "    expression: |\n      a == b\n        && c\n\n      && d",
  ],
  [
    "a block that begins with an empty line",
    "    expression: |-\n\n      a == b\n         \n      && c",
  ],
  [
    "a block with an indentation indicator",
    "    expression: |2-\n        a\n      && b",
  ],
  ["a block after a comment", "    expression: |- # why\n     a ||\n     b"],
  ["a block of CRLF lines", "    expression: |-\r\n     a\r\n\r\n     && b"],
  ["characters of two UTF-16 units", "    expression: '\"\u{1f600}\" == a'"],
])(
  "each character of an expression has its place in the file %s",
  (_, rule) => {
    // A character of two UTF-16 units stands before the expression on its line.
    const isFlow = rule.includes("{");
    const text = isFlow
      ? `rules:\n  - {name: "\u{1f600}", action: deny, ${rule.trim().slice(1)}\n`
      : `# a comment\nrules:\n  - name: a\n    action: deny\n${rule}\n`;
    const file = open(text);
    const expression = file.rules[0]?.expression ?? "";
    expect(expression).not.toBe("");
    let offset = 0;
    for (const character of expression) {
      const found = file.placeInExpression(0, { offset, length: 1 });
      expect(found.exact).toBe(true);
      const isEnd = character === "\n";
      const there = text.slice(found.offset).replace(/^\r/, "");
      if (isEnd) expect(there).toMatch(/^ *\r?\n/);
      else expect(there.startsWith(character)).toBe(true);
      if (!isEnd) expect(at(text, found)).toBe(character);
      if (!isEnd)
        expect(found.end).toEqual({
          line: found.line,
          column: found.column + 1,
        });
      offset += character.length;
    }
  },
);

it.each([
  ["escaped", '    expression: "a == \\"b\\""'],
  ["folded", "    expression: >\n      a ==\n      b"],
  ["doubled quotes", "    expression: 'a == ''b'''"],
])(
  "an expression that is %s has one place for the whole expression",
  (_, expression) => {
    const file = open("rules:", "  - name: a", "    action: deny", expression);
    expect(file.placeInExpression(0, { offset: 3, length: 1 })).toMatchObject({
      line: 4,
      column: 17,
      end: { line: expression.includes("\n") ? 6 : 4 },
      exact: false,
    });
  },
);

it("a missing part has the place of the nearest part around it", () => {
  const { placeOf } = open(
    "rules: []",
    "tests:",
    "  - name: a",
    "    request: {}",
    "    expect: allow",
  );
  expect(placeOf(["tests", 0, "expect"])).toEqual({
    line: 5,
    column: 13,
    offset: 57,
    end: { line: 5, column: 18 },
  });
  expect(placeOf(["tests", 0, "expect", "deny"])).toMatchObject({ line: 5 });
  expect(placeOf(["tests", 7])).toMatchObject({ line: 3 });
  expect(placeOf([])).toMatchObject({ line: 1, column: 1 });
});
