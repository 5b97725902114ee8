import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { DECISIONS } from "../../../provider/src/ownership/decisions";

const PAGE = path.resolve(__dirname, "../../../docs/ownership.md");

it("docs/ownership.md prints the table of decisions", () => {
  const rows = readFileSync(PAGE, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
  const [header = []] = rows.filter(([first]) => first === "Operation");
  const others = header.slice(1) as (keyof (typeof DECISIONS)["take"])[];
  expect(others).toEqual(Object.keys(DECISIONS.take));
  for (const [operation, decisions] of Object.entries(DECISIONS))
    expect(rows).toContainEqual([
      operation,
      ...others.map((one) => decisions[one]),
    ]);
});
