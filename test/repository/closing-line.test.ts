import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const REPORTER = resolve(__dirname, "../helpers/closing-line-reporter.mjs");

interface Reporter {
  readonly closingLine: (
    modules: readonly object[],
    unhandledErrors: readonly object[],
  ) => string;
}

/** A test file as Vitest tells of it. */
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

it("the closing line counts what failed without a test: a file, a suite, an unhandled error", async () => {
  const { closingLine } = (await import(
    pathToFileURL(REPORTER).href
  )) as Reporter;
  const passing = file(["passed", "passed"]);
  expect(closingLine([passing], [])).toBe("2 passed, 0 failed");
  expect(
    closingLine(
      [
        passing,
        file(["failed", "skipped"]),
        file([], { broken: true }),
        file(["skipped"], { brokenSuites: 1 }),
      ],
      [new Error("unhandled")],
    ),
  ).toBe("2 passed, 4 failed, 2 skipped");
});
