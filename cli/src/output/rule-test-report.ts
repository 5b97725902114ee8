import {
  describeDecision,
  testBlock,
  type ExpectationChange,
  type RuleTestReport,
  wrap,
} from "@devid/rules";

/**
 * The results of the tests in a rule file, and what `--update` would change in
 * it.
 */
export interface FileReport extends RuleTestReport {
  readonly file: string;
  /** Absent without `--update`. */
  readonly changes?: readonly ExpectationChange[];
}

/** Whether any test of the file failed. */
export function hasFailed({ tests }: RuleTestReport): boolean {
  return tests.some(({ passed }) => !passed);
}

/** Whether the file has tests, and they reach every enabled rule. */
export function isCovered({ tests, coverage }: RuleTestReport): boolean {
  return tests.length > 0 && coverage.notReached.length === 0;
}

/**
 * Formats the tests of rule files for people, in lines of at most 80 columns if
 * names allow it; empty if there are no files. With `isStrict`, rules that no
 * test reaches are marked as a failure.
 */
export function ruleTestReport(
  reports: readonly FileReport[],
  isStrict: boolean,
): string {
  if (reports.length === 0) return "";
  const blocks = reports.map((report) =>
    [
      report.file,
      ...report.tests.map((test) => testBlock(test, report.file)),
      ...coverageLines(report, isStrict),
      "",
      "",
    ].join("\n"),
  );
  const tests = reports.flatMap((report) => report.tests);
  const failed = tests.filter(({ passed }) => !passed).length;
  const all = count(tests.length, "test");
  const outcome = failed > 0 ? `${failed} of ${all} failed` : `${all} passed`;
  const files = count(reports.length, "file");
  return `${blocks.join("")}${outcome} in ${files}.\n`;
}

function coverageLines(report: FileReport, isStrict: boolean): string[] {
  const { enabled, notReached, disabled } = report.coverage;
  const mark = isStrict && !isCovered(report) ? "  ✗ " : "  ";
  const lines: string[] = [];
  if (report.tests.length === 0) lines.push(`${mark}this file has no tests`);
  else {
    const reached = enabled.length - notReached.length;
    const are = enabled.length === 1 ? "is" : "are";
    const missing = notReached.length
      ? `; not reached: ${notReached.join(", ")}`
      : "";
    lines.push(
      wrap(
        mark,
        `${reached} of ${count(enabled.length, "rule")} ${are} reached by a test${missing}`,
      ),
    );
  }
  if (disabled.length > 0)
    lines.push(wrap("  ", `disabled, so not counted: ${disabled.join(", ")}`));
  return lines;
}

/**
 * Describes what `--update` would change in rule files; empty if nothing
 * changes.
 */
export function changesReport(reports: readonly FileReport[]): string {
  return reports
    .flatMap(({ file, changes = [] }) =>
      changes.map(({ test, from, to, decidedBy, line, column }) =>
        [
          wrap("", `${file}:${line}:${column} "${test}"`),
          wrap("  expects       ", describeDecision(from)),
          wrap(
            "  would expect  ",
            describeDecision(
              to,
              decidedBy === undefined
                ? "for no rule matches"
                : `decided by ${decidedBy}`,
            ),
          ),
          "",
        ].join("\n"),
      ),
    )
    .join("\n");
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
