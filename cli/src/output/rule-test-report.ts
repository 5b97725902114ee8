import {
  describeDecision,
  testBlock,
  type ExpectationChange,
  type RuleTestReport,
  wrap,
} from "@devid/rules";

/** The tests of a rule file, and what `--update` would change in it. */
export interface FileReport extends RuleTestReport {
  readonly file: string;
  /** Absent without `--update`. */
  readonly changes?: readonly ExpectationChange[];
}

/** Whether a test of the file failed. */
export function hasFailed({ tests }: RuleTestReport): boolean {
  return tests.some(({ passed }) => !passed);
}

/** Whether every enabled rule of the file is reached by a test, of which there is one at least. */
export function isCovered({ tests, coverage }: RuleTestReport): boolean {
  return tests.length > 0 && coverage.notReached.length === 0;
}

/**
 * The tests of rule files for people, in lines of at most 80 columns where names
 * allow it; empty for no file. `isStrict` marks rules that no test reaches as a
 * failure.
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

/** What `--update` would change in rule files; empty for nothing. */
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
