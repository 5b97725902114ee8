import { relative } from "node:path";

/** How many of the slowest test files are listed. */
const LISTED = 15;

/**
 * Prints, at the end of a run, the test files that took longest and, as the last
 * line, what every runner of this project ends with.
 */
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = countOf(modules, unhandledErrors);
    if (counts.skipped > 0 && process.env.TESTS_MAY_SKIP === "no") {
      counts.failed += counts.skipped;
      counts.skipped = 0;
      process.exitCode = 1;
      console.error("Tests were skipped, and here none may be.");
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.on("exit", () => {
      for (const line of slowest(modules)) console.log(line);
      console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
    });
  }
}

/**
 * How many tests passed, failed and were skipped. A file that cannot be loaded,
 * a suite whose set-up fails and an unhandled error have no failed test; each
 * counts as one.
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

/** Everything that a file took: to load it, to set it up, and its tests. */
const durationOf = ({ setupDuration, collectDuration, duration }) =>
  setupDuration + collectDuration + duration;
