import { expect, it } from "vitest";
import { idsOf, statementsOf } from "./contract-statements";

const textsOf = (...lines: string[]) =>
  statementsOf(["## Section", ...lines].join("\n")).map(({ text }) => text);

it("a paragraph with marks is split where a mark ends a sentence or a clause", () => {
  expect(
    textsOf(
      "No mark, no statement.",
      "One [contract]<!--a-1-->; two, in [@go-client] two parts [A1]. Three [contract]. Its rest.",
    ),
  ).toEqual([
    "One [contract]<!--a-1-->",
    "two, in [@go-client] two parts [A1]",
    "Three [contract]. Its rest.",
  ]);
});

it("a list item is a statement, with or without a mark", () => {
  expect(textsOf("- One [contract].", "  - Two", "1. Three")).toEqual([
    "One [contract].",
    "Two",
    "Three",
  ]);
});

it("a table row is a statement, except the row of column names", () => {
  const row = "| `a` | [contract]<!--a-1--> |";
  expect(textsOf("| Field | Mark |", "| ----- | ---- |", row, "")).toEqual([
    row,
  ]);
});

it("an interface or type in a code block is a statement, by its name", () => {
  const code = "```ts\n// a-1\ninterface Event {\n}\ntype Level = 1;\n```";
  expect(statementsOf(`## Section\n${code}`)).toEqual([
    { ids: ["a-1"], text: "interface Event", line: 4 },
    { ids: [], text: "type Level", line: 6 },
  ]);
});

it("an introduction to a list is not a statement", () => {
  expect(
    textsOf("The codes [contract]:", "Two [contract]. In public [contract]:"),
  ).toEqual(["Two [contract]"]);
});

it("text about the page itself is not a statement", () => {
  const page = "a [contract]\n## Marks\n- b\n## A\n### B\n- c\n## Sources\n- d";
  expect(statementsOf(page)).toEqual([{ ids: [], text: "c", line: 6 }]);
});

it("each statement has the IDs that it contains", () => {
  const page =
    "## A\n- b [contract]<!--a-1-->. c<!--a-3--> [contract]<!--a-2-->";
  expect(statementsOf(page).map(({ ids }) => ids)).toEqual([
    ["a-1"],
    ["a-3", "a-2"],
  ]);
  expect(idsOf(page)).toEqual(["a-1", "a-3", "a-2"]);
});
