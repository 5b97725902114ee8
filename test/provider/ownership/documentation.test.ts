import { expect, it } from "vitest";
import {
  decide,
  type OwnershipOperation,
  type Others,
} from "../../../provider/src/ownership/decisions";
import { textOf } from "../../helpers/repository";

const OPERATIONS = Object.keys({
  take: true,
  update: true,
  delete: true,
  "delete with environment": true,
} satisfies Record<OwnershipOperation, true>) as OwnershipOperation[];

const OTHERS = Object.keys({
  nobody: true,
  condemned: true,
  had: true,
  wanted: true,
  lacking: true,
} satisfies Record<Others, true>) as Others[];

it("docs/ownership.md prints the table of decisions", () => {
  const rows = textOf("docs/ownership.md")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
  const [header = []] = rows.filter(([first]) => first === "Operation");
  const columns = header.slice(1).map((cell) => cell.split(", ") as Others[]);
  expect(columns.flat().sort()).toEqual([...OTHERS].sort());
  for (const operation of OPERATIONS)
    for (const one of OTHERS)
      expect(rows).toContainEqual([
        operation,
        ...columns.map((others) =>
          decide(operation, others.includes(one) ? one : (others[0] ?? one)),
        ),
      ]);
});
