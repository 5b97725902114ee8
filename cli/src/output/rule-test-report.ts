import {
  hasLiveDifference,
  liveDifferences,
  liveSummary,
  testBlock,
  type LiveTestReport,
  suiteOfTests,
  type RuleTestReport,
  type Suite,
  wrap,
} from "@devid/rules";
import { count, lines, printText, text } from "@devid/rules/internals";

/** The results of the tests in a rule file. */
export interface FileReport extends RuleTestReport {
  readonly file: string;
  /**
   * How the service decides the tests; absent without `--live`, and where it
   * did not answer.
   */
  readonly live?: LiveReport;
}

/** How a service decides the tests of a file, and which service it is. */
export interface LiveReport extends LiveTestReport {
  readonly region: string;
  readonly managementUrl: string;
}

/** The tests of a file for a format for machines; a test that the service decides otherwise fails, too. */
export function suiteOfReport({ file, tests, live }: FileReport): Suite {
  const outcomes = live?.tests.map(({ outcome }) => outcome) ?? [];
  const suite = suiteOfTests(file, tests);
  return {
    ...suite,
    cases: suite.cases.map((one, index) => {
      const [test, outcome] = [tests[index], outcomes[index]];
      const isOther =
        outcome?.kind === "different" || outcome?.kind === "refused";
      if (one.problem || !test || !isOther) return one;
      const { name, line, column, end } = test;
      const problem = {
        code: "live-difference",
        severity: "error" as const,
        message: `the service ${outcome.kind === "refused" ? "refuses what is asked" : "decides otherwise"}; devid rules test --live tells more`,
        ...{ file, line, column, end, about: name },
      };
      return { name, problem };
    }),
  };
}

/** Whether any test of the file failed, or the service decides one otherwise. */
export function hasFailed({ tests, live }: FileReport): boolean {
  return (
    tests.some(({ passed }) => !passed) ||
    (live !== undefined && hasLiveDifference(live))
  );
}

/**
 * Whether the file has tests, they reach every enabled rule, and the service
 * was asked about all of them, if it was asked.
 */
export function isCovered(report: FileReport): boolean {
  return reachesAll(report) && isAsked(report);
}

const reachesAll = ({ tests, coverage }: FileReport) =>
  tests.length > 0 && coverage.notReached.length === 0;

const isAsked = ({ live }: FileReport) =>
  !live?.tests.some(({ outcome }) => outcome.kind === "not asked");

/**
 * Formats the tests of rule files for people, in lines of at most 80 columns if
 * names allow it; empty if there are no files. A rule that no test reaches is a
 * warning; with `isStrict` it is marked as a failure.
 */
export function ruleTestReport(
  reports: readonly FileReport[],
  isStrict: boolean,
): string {
  if (reports.length === 0) return "";
  const files = reports.map((report) =>
    [
      report.file,
      ...report.tests.map((test) => testBlock(test, report.file)),
      ...coverageLines(report, isStrict),
      ...liveLines(report, isStrict),
    ].join("\n"),
  );
  const tests = reports.flatMap((report) => report.tests);
  const failed = tests.filter(({ passed }) => !passed).length;
  const all = count(tests.length, "test");
  const outcome = failed > 0 ? `${failed} of ${all} failed` : `${all} passed`;
  const place = `${count(files.length, "file")}${agreement(reports)}`;
  return printText([
    ...lines(files, "files"),
    ...text(`${outcome} in ${place}.`),
  ]);
}

/**
 * Says in a few words whether the service decides as devid does; empty without
 * `--live`, or if the service did not answer.
 */
function agreement(reports: readonly FileReport[]): string {
  const lives = reports.flatMap(({ live, file }) =>
    live ? [{ calls: live.calls, found: liveDifferences(live, file) }] : [],
  );
  if (lives.length === 0) return "";
  const found = lives.flatMap((live) => live.found).length;
  if (found > 0) return `; the service differs in ${count(found, "place")}`;
  return lives.some(({ calls }) => calls > 0)
    ? "; the service agrees"
    : "; the service was not asked";
}

function liveLines({ live, file }: FileReport, isStrict: boolean): string[] {
  if (!live) return [];
  const service = `the service of region ${live.region} (${live.managementUrl})`;
  return [liveSummary(live, service, isStrict), ...liveDifferences(live, file)];
}

function coverageLines(report: FileReport, isStrict: boolean): string[] {
  const { enabled, notReached, disabled } = report.coverage;
  const mark = reachesAll(report) ? "  " : isStrict ? "  ✗ " : "  warning: ";
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
