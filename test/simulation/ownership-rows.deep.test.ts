import { afterEach, expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import {
  decide,
  DECISIONS,
  type Decision,
  type OwnershipOperation,
  type Others,
} from "../../provider/src/ownership/decisions";
import { FORMS, type Form } from "../helpers/program-form";
import { OWNERSHIP_ROWS, type OwnershipRow } from "./ownership-rows";
import { Simulator } from "./simulator";

const simulator = openForTests(new Simulator());

const table = DECISIONS as Record<
  OwnershipOperation,
  Partial<Record<Others, Decision>>
>;
const original = structuredClone(table);
afterEach(() => Object.assign(table, structuredClone(original)));

const ID = /\b(?:tok|ae|wh|ek|tr)_\w+|\b[\da-f-]{36}\b|\d{4}-[\d-]+T[\d:.]+Z/g;

/** The story and its first violation as text, without random parts. */
async function account({ steps }: OwnershipRow, form: Form) {
  const { text, violations } = await simulator.play({ form, seed: 1, steps });
  const [violation] = violations;
  return { violation, text: text.replace(ID, "ID") };
}

const CASES = OWNERSHIP_ROWS.flatMap((row) =>
  (row.forms ?? FORMS).map((form) => ({ ...row, form })),
);

it.each(CASES)(
  "another decision in the cell $operation, $others changes the story: $title ($form)",
  async (row) => {
    const { operation, others, form } = row;
    const result = await account(row, form);
    expect(result.violation).toBeUndefined();
    for (const instead of ["goes on", "is refused"] as const) {
      const decision = decide(operation, others);
      if (instead === decision) continue;
      table[operation][others] = instead;
      expect(await account(row, form)).not.toEqual(result);
      Object.assign(table, structuredClone(original));
    }
  },
);

it("every cell that a run can reach has a story", () => {
  const cells = Object.keys(DECISIONS).flatMap((operation) =>
    (["nobody", "condemned", "wanted", "had", "lacking"] as const).map(
      (others) => `${operation}, ${others}`,
    ),
  );
  const unreachable = [
    // Only a state can lack a token, and only another state can have it.
    "take, lacking",
    "delete with environment, lacking",
    // Two states of one object, of which only one has the token, can only come from edited states.
    "update, lacking",
  ];
  const rows = OWNERSHIP_ROWS.map(
    ({ operation, others }) => `${operation}, ${others}`,
  );
  expect([...new Set([...rows, ...unreachable])].sort()).toEqual(cells.sort());
});
