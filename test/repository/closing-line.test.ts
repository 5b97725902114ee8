import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const REPORTER = resolve(__dirname, "../helpers/closing-line-reporter.mjs");

interface Reporter {
  readonly skippedByTool: (modules: readonly object[]) => readonly string[];
  readonly skippedByReason: (modules: readonly object[]) => readonly string[];
  readonly flaky: (modules: readonly object[]) => readonly string[];
  readonly failures: (
    modules: readonly object[],
    unhandledErrors: readonly object[],
  ) => readonly string[];
  readonly countOf: (
    modules: readonly object[],
    unhandledErrors: readonly object[],
  ) => object;
}

/** A test file in the form of Vitest's report. */
const file = (
  states: readonly string[],
  { broken = false, brokenSuites = 0 } = {},
) => ({
  errors: () => (broken ? [{}] : []),
  children: {
    allSuites: () => [
      { errors: () => [] },
      ...Array.from({ length: brokenSuites }, () => ({ errors: () => [{}] })),
    ],
    allTests: () => states.map((state) => ({ result: () => ({ state }) })),
  },
});

it("the closing line counts failures outside of tests: a file, a suite, an unhandled error", async () => {
  const { countOf } = (await import(pathToFileURL(REPORTER).href)) as Reporter;
  const passing = file(["passed", "passed"]);
  expect(countOf([passing], [])).toEqual({ passed: 2, failed: 0, skipped: 0 });
  expect(
    countOf(
      [
        passing,
        file(["failed", "skipped"]),
        file([], { broken: true }),
        file(["skipped"], { brokenSuites: 1 }),
      ],
      [new Error("unhandled")],
    ),
  ).toEqual({ passed: 2, failed: 4, skipped: 2 });
});

it("the end of a run names each failure, in a test and outside", async () => {
  const { failures } = (await import(pathToFileURL(REPORTER).href)) as Reporter;
  const errors = () => [];
  const fileOf = (isBroken: boolean, ...names: readonly string[]) => ({
    relativeModuleId: "test/a.test.ts",
    errors: () => (isBroken ? [{}] : []),
    children: {
      allSuites: () => [{ fullName: "suite", errors }],
      allTests: (state: string) =>
        state === "failed" ? names.map((fullName) => ({ fullName })) : [],
    },
  });
  expect(failures([fileOf(false)], [])).toEqual([]);
  expect(
    failures(
      [fileOf(false, "suite > red"), fileOf(true)],
      [new Error("unhandled")],
    ),
  ).toEqual([
    "  test/a.test.ts > suite > red",
    "  test/a.test.ts > outside of its tests",
    "  unhandled",
  ]);
});

it("the end of a run names each test that passed only on its second try", async () => {
  const { flaky } = (await import(pathToFileURL(REPORTER).href)) as Reporter;
  const fileOf = (...tests: readonly object[]) => ({
    relativeModuleId: "test/a.test.ts",
    children: { allTests: (state: string) => state === "passed" && tests },
  });
  const steady = { fullName: "steady", diagnostic: () => ({ flaky: false }) };
  const shaky = { fullName: "shaky", diagnostic: () => ({ flaky: true }) };
  expect(flaky([fileOf(steady)])).toEqual([]);
  expect(flaky([fileOf(steady, shaky)])).toEqual([
    "Passed on the second try:",
    "  test/a.test.ts > shaky",
    "",
  ]);
});

it("the end of a run names each skipped test, with the missing tool or the test's reason", async () => {
  const { skippedByTool, skippedByReason } = (await import(
    pathToFileURL(REPORTER).href
  )) as Reporter;
  const skipped = (fullName: string, note?: string) => ({
    fullName,
    tags: ["go"],
    result: () => ({ state: "skipped", note }),
  });
  const fileOf = (...tests: readonly object[]) => ({
    relativeModuleId: "test/a.test.ts",
    children: { allTests: (state: string) => state === "skipped" && tests },
  });
  expect(skippedByReason([fileOf(skipped("untried"))])).toEqual([]);
  const modules = [fileOf(skipped("untried"), skipped("old", "Go is old."))];
  expect(skippedByTool(modules)).toEqual([
    "Skipped here: 1 test needs Go 1.25 or later, as go, and Pulumi's language host for it, as pulumi-language-go.",
    "  test/a.test.ts > untried",
    "",
  ]);
  expect(skippedByReason(modules)).toEqual([
    "Skipped for a reason of its own: 1 test.",
    "  test/a.test.ts > old: Go is old.",
    "",
  ]);
});
