import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { UNTESTED } from "./untested";

const MOST_UNTESTED = 30;

/** The IDs in docs/contract.md, such as `limits-7`, one for each statement. */
const ids = [
  ...readFileSync("docs/contract.md", "utf8").matchAll(
    /<!--([a-z]+-\d+)-->|^\/\/ ([a-z]+-\d+)$/gm,
  ),
].map(([, inText, aboveType]) => inText ?? aboveType ?? "");

/** What the comments `// contract: limits-7, agent-2` above tests name. */
const named = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => !path.includes("node_modules"))
  .flatMap((path) => [
    ...readFileSync(join("test", path), "utf8").matchAll(
      /^ *\/\/ contract: (.*)$/gm,
    ),
  ])
  .flatMap(([, list = ""]) => list.split(", "));

const reasons = Object.values(UNTESTED).flatMap((kind) => Object.entries(kind));
const untested = reasons.map(([id]) => id);
const repeated = (all: readonly string[]) =>
  all.filter((id, at) => all.indexOf(id) < at);

it("every statement of docs/contract.md is named above a test, or has a reason for having none", () => {
  expect(ids.length).toBeGreaterThan(400);
  expect(repeated(ids)).toEqual([]);
  const missing = ids.filter(
    (id) => !named.includes(id) && !untested.includes(id),
  );
  expect(
    missing,
    "Look for the test that fails where the statement is wrong, or write one, and name the statement above it: // contract: ID",
  ).toEqual([]);
});

it("tests name only statements that are there", () => {
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

it("few statements have no test, and each has a reason", () => {
  const wrong = reasons.filter(
    ([id, reason]) =>
      !ids.includes(id) || named.includes(id) || reason.split(" ").length < 4,
  );
  expect(wrong).toEqual([]);
  expect(repeated(untested)).toEqual([]);
  expect(untested.length).toBeLessThanOrEqual(MOST_UNTESTED);
});
