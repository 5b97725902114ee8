import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { idsOf, statementsOf } from "./contract-statements";
import { holdersOf } from "./holders";
import { UNTESTED } from "./untested";

const MOST_UNTESTED = 30;
/** A test of more statements than this would show little about each. */
const MOST_STATEMENTS_OF_A_TEST = 16;

const PAGE = "docs/contract.md";
const page = readFileSync(PAGE, "utf8");
const statements = statementsOf(page);
const known = new Set(statements.flatMap(({ ids }) => ids));
const untested = UNTESTED.map(([id]) => id);

/** All tests except those in this folder, which contain comments as examples. */
const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => !/^contract\b|\bnode_modules\b/.test(path))
  .map((path) => ({ path: join("test", path), ...read(join("test", path)) }));
const holders = files.flatMap(({ path, holders }) =>
  holders.map(({ line, ids }) => ({ place: `${path}:${line}`, ids })),
);
const held = new Set(holders.flatMap(({ ids }) => ids));

function read(path: string) {
  const source = readFileSync(path, "utf8");
  if (!source.includes("// contract: ")) return { holders: [], astray: [] };
  return holdersOf(source);
}

const repeated = (ids: readonly string[]) =>
  ids.filter((id, at) => ids.indexOf(id) < at);

it("every statement of docs/contract.md has its own ID", () => {
  const wrong = statements
    .filter(({ ids }) => ids.length !== 1)
    .map(({ ids, line, text }) =>
      ids.length === 0
        ? `${PAGE}:${line} is new: give it the next number of its section, as in <!--limits-17-->, here: ${text}`
        : `${PAGE}:${line} has more than one ID: ${ids.join(", ")}`,
    );
  const ids = idsOf(page);
  for (const id of repeated(ids)) wrong.push(`${PAGE} has ${id} twice.`);
  for (const id of ids)
    if (!known.has(id)) wrong.push(`${PAGE}: ${id} ends no statement.`);
  expect(wrong.join("\n\n")).toBe("");
});

it("every statement has a test, or a reason for having none", () => {
  const wrong = statements.flatMap(({ ids, line, text }) =>
    ids
      .filter((id) => !held.has(id) && !untested.includes(id))
      .map(
        (id) =>
          `${PAGE}:${line} has no test. Look for the test that fails where it is otherwise, or write one, and put this above it:\n// contract: ${id}\nIt is about: ${text}`,
      ),
  );
  expect(wrong.join("\n\n")).toBe("");
});

it("every comment names existing statements once, and is above a test that runs", () => {
  const wrong = holders.flatMap(({ place, ids }) => [
    ...repeated(ids).map((id) => `${place} names ${id} twice.`),
    ...ids
      .filter((id) => !known.has(id))
      .map((id) => `${place}: ${PAGE} has no statement ${id}.`),
  ]);
  for (const { path, astray } of files)
    for (const line of astray)
      wrong.push(
        `${path}:${line} stands directly above no test that runs, and above no row of its it.each.`,
      );
  expect(wrong.join("\n")).toBe("");
});

it("no test covers too many statements", () => {
  const many = holders.filter(
    ({ ids }) => ids.length > MOST_STATEMENTS_OF_A_TEST,
  );
  expect(many).toEqual([]);
});

it("few statements have no test, and each has a reason", () => {
  const wrong = UNTESTED.filter(
    ([id, , reason]) =>
      !known.has(id) || held.has(id) || reason.split(" ").length < 4,
  );
  expect(wrong).toEqual([]);
  expect(repeated(untested)).toEqual([]);
  expect(untested.length).toBeLessThanOrEqual(MOST_UNTESTED);
});
