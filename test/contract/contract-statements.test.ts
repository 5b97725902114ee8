import { expect, it } from "vitest";
import { statementsOf } from "./contract-statements";

const textsOf = (...lines: string[]) =>
  statementsOf(["## Section", ...lines].join("\n")).map(({ text }) => text);

it("a paragraph with marks is cut where one of them ends a sentence or a clause", () => {
  expect(
    textsOf(
      "No mark, no statement.",
      "One [contract]; two, in [public: Go client] two parts [assumption: A1]. Three [contract]. Its rest.",
    ),
  ).toEqual(["One", "two, in two parts [assumption: A1]", "Three. Its rest"]);
});

it("an item of a list is a statement, with a mark or without", () => {
  expect(
    textsOf("- One [contract].", "  - Two", "1. Three, see [there](#a)."),
  ).toEqual(["One", "Two", "Three, see there"]);
});

it("a row of a table is one, without its marks, under the name above it", () => {
  expect(
    textsOf(
      "| Field | Type | Mark |",
      "| ----- | ---- | ---- |",
      "| `a` | text | [contract], note [public: Examples] |",
      "|  | `x \\| y` | [assumption: A2] |",
      "",
      "| Status | When |",
      "| ------ | ---- |",
      "| 400    | bad  |",
    ),
  ).toEqual(["`a` | text", "`a` | `x \\| y` | [assumption: A2]", "400 | bad"]);
});

it("an interface or type of a block of code is one, by its name", () => {
  expect(
    textsOf(
      "```ts",
      "interface Event {",
      "  id: string; // [contract]",
      "}",
      "type Level = 1;",
      "```",
    ),
  ).toEqual(["interface Event", "type Level"]);
});

it("words that only lead to others are none", () => {
  expect(
    textsOf("The codes [contract]:", "Two [contract]. In public [contract]:"),
  ).toEqual(["Two"]);
});

it("a statement stands under its headings, but not in what is about the page", () => {
  const page = "## Marks\n- a\n## A\n### B\n- b\n### C\n- c\n## Sources\n- d";
  const found = statementsOf(page);
  expect(found).toEqual([
    { heading: "A > B", text: "b", line: 5 },
    { heading: "A > C", text: "c", line: 7 },
  ]);
});
