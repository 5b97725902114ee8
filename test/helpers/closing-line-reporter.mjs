/** Prints, as the last line of a run, what every runner of this project ends with. */
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const line = closingLine(modules, unhandledErrors);
    process.on("exit", () => console.log(line));
  }
}

/**
 * How many tests passed, failed and were skipped. A file that cannot be loaded,
 * a suite whose set-up fails and an unhandled error have no failed test; each
 * counts as one.
 */
export function closingLine(modules, unhandledErrors) {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    for (const suite of [module, ...module.children.allSuites()])
      if (suite.errors().length > 0) counts.failed += 1;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state in counts) counts[state] += 1;
    }
  }
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`;
}
