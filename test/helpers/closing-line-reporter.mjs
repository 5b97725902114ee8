import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { TOOLS } from "./tools-here.mjs";

/** The number of slow test files to list. */
const LISTED = 15;

/**
 * Prints at the end of a run: the slowest test files, the tests that passed only on
 * their second try, the tests that were skipped because a tool is missing, the tests that
 * failed with their errors, and a last line that all test runners of this project print. If `TESTS_TALLY`
 * names a file, the last two cover all runs that used this file.
 */
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = countOf(modules, unhandledErrors);
    let failed = failures(modules, unhandledErrors);
    const { TESTS_TALLY: tally = "" } = process.env;
    if (counts.skipped > 0 && process.env.TESTS_MAY_SKIP === "no") {
      counts.failed += counts.skipped;
      counts.skipped = 0;
      process.exitCode = 1;
      console.error("Tests were skipped, and here none may be.");
    }
    if (tally !== "") {
      const before = existsSync(tally)
        ? JSON.parse(readFileSync(tally, "utf8"))
        : { counts: {}, failed: [] };
      for (const [state, count] of Object.entries(before.counts))
        counts[state] += count;
      failed = [...before.failed, ...failed];
      writeFileSync(tally, JSON.stringify({ counts, failed }));
    }
    const needing = [...skippedByTool(modules), ...skippedByReason(modules)];
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.on("exit", () => {
      for (const line of [...slowest(modules), ...flaky(modules), ...needing])
        console.log(line);
      if (failed.length > 0) console.log(["Failed:", ...failed, ""].join("\n"));
      console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
    });
  }
}

/**
 * Counts the tests that passed, failed and were skipped. A file that fails to
 * load, a suite whose set-up fails and an unhandled error contain no failed
 * test; each of them counts as one.
 */
export function countOf(modules, unhandledErrors) {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    for (const suite of [module, ...module.children.allSuites()])
      if (suite.errors().length > 0) counts.failed += 1;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state in counts) counts[state] += 1;
    }
  }
  return counts;
}

/**
 * Names the tests that were skipped because this machine lacks a tool that their tags
 * name, and how to get the tool.
 */
export function skippedByTool(modules) {
  return Object.entries(TOOLS).flatMap(([tool, howToGet]) => {
    const names = modules.flatMap((module) =>
      [...module.children.allTests("skipped")]
        .filter((test) => test.tags.includes(tool) && !test.result().note)
        .map(({ fullName }) => `  ${module.relativeModuleId} > ${fullName}`),
    );
    if (names.length === 0) return [];
    const tests =
      names.length === 1 ? "1 test needs" : `${names.length} tests need`;
    return [`Skipped here: ${tests} ${howToGet}.`, ...names, ""];
  });
}

/** Names the tests that skipped themselves, with their reasons. */
export function skippedByReason(modules) {
  const names = modules.flatMap((module) =>
    [...module.children.allTests("skipped")]
      .filter((test) => test.result().note)
      .map(
        (test) =>
          `  ${module.relativeModuleId} > ${test.fullName}: ${test.result().note}`,
      ),
  );
  const tests = names.length === 1 ? "1 test" : `${names.length} tests`;
  return names.length === 0
    ? []
    : [`Skipped for a reason of its own: ${tests}.`, ...names, ""];
}

/** Names the tests that failed at first and passed on their second try. */
export function flaky(modules) {
  const names = modules.flatMap((module) =>
    [...module.children.allTests("passed")]
      .filter((test) => test.diagnostic()?.flaky)
      .map(({ fullName }) => `  ${module.relativeModuleId} > ${fullName}`),
  );
  return names.length === 0 ? [] : ["Passed on the second try:", ...names, ""];
}

/**
 * Names the tests that failed, the files with a failure outside of a test, and the errors
 * outside of all files, each with the message and place of its errors.
 */
export function failures(modules, unhandledErrors) {
  const named = modules.flatMap((module) =>
    [
      ...[module, ...module.children.allSuites()]
        .filter((suite) => suite.errors().length > 0)
        .map((suite) => [
          suite.fullName ?? "outside of its tests",
          suite.errors(),
        ]),
      ...[...module.children.allTests("failed")].map((test) => [
        test.fullName,
        test.result().errors,
      ]),
    ].flatMap(([name, errors]) => [
      `  ${module.relativeModuleId} > ${name}`,
      // Each try of a test has its error, mostly the same one.
      ...new Set(errors.map((error) => `    ${inShort(error)}`)),
    ]),
  );
  return [...named, ...unhandledErrors.map((error) => `  ${inShort(error)}`)];
}

/** The first 300 characters of an error's message, on one line, and its place in our files: `file:line`. */
function inShort({ name, message, stacks = [], stack = "" }) {
  const text = stripVTControlCharacters(`${name ?? "Error"}: ${message}`)
    .replace(/\s+/g, " ")
    .slice(0, 300);
  const frame =
    stacks.find(({ file }) => !file.includes("node_modules")) ?? stacks[0];
  // An error that a file ends with while it loads may have its place only in the text of its stack.
  const place = frame
    ? `${relative(process.cwd(), frame.file)}:${frame.line}`
    : /^\s+at (.*)$/m.exec(stack)?.[1];
  return place === undefined ? text : `${text} (${place})`;
}

function slowest(modules) {
  if (modules.length <= LISTED) return [];
  const lines = modules
    .map((module) => ({ module, ms: durationOf(module.diagnostic()) }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, LISTED)
    .map(
      ({ module, ms }) =>
        `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(process.cwd(), module.moduleId)}`,
    );
  return ["", "The slowest files:", ...lines, ""];
}

/** The total time of a file: for loading, set-up and tests. */
const durationOf = ({ setupDuration, collectDuration, duration }) =>
  setupDuration + collectDuration + duration;
