/** Prints, as the last line of a run, what every runner of this project ends with. */
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state in counts) counts[state] += 1;
      }
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.on("exit", () =>
      console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`),
    );
  }
}
