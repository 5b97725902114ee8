import { withTestProgress } from "../../output/progress";
import {
  isRuleFile,
  openRuleFile,
  RuleFileError,
  runLiveTests,
  runRuleTests,
  updateExpectations,
  type RuleFile,
} from "@devid/rules";
import { Option } from "commander";
import {
  Command,
  MACHINE_FORMATS,
  regionOption,
  reportOptions,
  showSecretsOption,
  strictOption,
} from "../../flags/shared-options";
import { calculate } from "../../interruption";
import { confirm } from "../../output/confirm";
import { EXIT, reportError } from "../../output/report-error";
import { configuredClient } from "../../sources/configured-client";
import { ruleFiles } from "../../sources/rule-files";
import {
  changesReport,
  hasFailed,
  isCovered,
  ruleTestReport,
  suiteOfReport,
  type FileReport,
} from "../../output/rule-test-report";
import {
  printReport,
  formatOf,
  type ReportFlags,
} from "../../output/print-report";
import { withoutKeys } from "../../output/without-keys";
import { writeFileAtomically } from "../../output/write-output";

interface Flags extends ReportFlags<(typeof MACHINE_FORMATS)[number] | "text"> {
  readonly strict?: boolean;
  readonly live?: boolean;
  readonly region?: string;
  readonly update?: boolean;
  readonly yes?: boolean;
}

interface TestedFile {
  readonly file: RuleFile;
  report: FileReport;
}

interface Update {
  readonly path: string;
  readonly text: string;
}

/**
 * `devid rules test`: runs the tests in rule files, and shows which rules they
 * reach. With `--live`, the service decides the same tests, and different decisions are
 * shown.
 */
export function rulesTest(): Command {
  return new Command("test")
    .argument("<file...>", "YAML or JSON files, or -; folders are searched")
    .flags(
      reportOptions(...MACHINE_FORMATS),
      strictOption(
        "on rules that no test reaches, and on tests that --live could not ask",
      ),
      new Option(
        "--live",
        "also ask the service, and show where it decides otherwise",
      ).conflicts("update"),
      regionOption(),
      showSecretsOption(),
    )
    .option(
      "--update",
      "make failing tests expect what the rules decide; asks before it writes; the exit code stays 2",
    )
    .option("-y, --yes", "do not ask before --update writes")
    .action(async (paths: string[], flags: Flags) => {
      const format = formatOf(flags);
      const { tested, updates } = testFiles(paths, flags);
      // The offline results are printed even if the service does not answer.
      const failure = flags.live ? await askService(tested, flags) : undefined;
      const reports = tested.map(({ report }) => report);
      printReport(flags, {
        json: () => ({ files: reports }),
        text: () => ruleTestReport(reports, flags.strict ?? false),
        suites: () => reports.map(suiteOfReport),
      });
      const isFine = (report: FileReport) =>
        !hasFailed(report) && (!flags.strict || isCovered(report));
      if (failure)
        process.exitCode = reportError(failure.error, {
          json: format === "json",
        });
      if (!reports.every(isFine)) process.exitCode ??= EXIT.differences;
      if (updates.length === 0) return;
      if (format === "text")
        process.stdout.write(`\n${changesReport(reports)}`);
      await write(updates, flags);
    });
}

/**
 * Adds the decisions of the service to each report, one file after the other. Returns
 * the error that stopped it, if any.
 */
async function askService(
  tested: readonly TestedFile[],
  flags: Flags,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    const client = configuredClient(flags);
    await withTestProgress(async (onProgress, signal) => {
      for (const one of tested) {
        const { file, report } = one;
        const live = await runLiveTests(
          file,
          report.tests,
          (question) => client.filteringRules.test(question, { signal }),
          { onProgress },
        );
        const { region, managementUrl } = client.configuration;
        one.report = {
          ...report,
          live: withoutKeys({ region, managementUrl, ...live }, flags),
        };
      }
    });
  } catch (error) {
    return { error };
  }
  return undefined;
}

function testFiles(paths: readonly string[], flags: Flags) {
  const tested: TestedFile[] = [];
  const updates: Update[] = [];
  const run = (file: RuleFile): FileReport => {
    const report = { file: file.path, ...runRuleTests(file) };
    if (!flags.update) return report;
    const { text, changes } = updateExpectations(file, report);
    if (changes.length > 0) updates.push({ path: file.path, text });
    return { ...report, changes };
  };
  for (const { path, text } of ruleFiles(paths, isRuleFile))
    try {
      const one = calculate(() => {
        const file = openRuleFile(text, path);
        return { file, report: run(file) };
      });
      tested.push(one);
    } catch (error) {
      if (!(error instanceof RuleFileError)) throw error;
      const json = formatOf(flags) === "json";
      process.exitCode = reportError(error, { json });
    }
  return { tested, updates };
}

async function write(
  updates: readonly Update[],
  { yes, ...flags }: Flags,
): Promise<void> {
  const canAsk =
    formatOf(flags) !== "json" && process.stdin.isTTY && process.stderr.isTTY;
  if (!yes && !canAsk) {
    process.stderr.write(
      "devid: Nothing was written, because there is no terminal to ask on; --yes writes without asking.\n",
    );
    return;
  }
  if (!yes && !(await confirm("Write these expectations?"))) {
    process.stderr.write("devid: Nothing was written.\n");
    return;
  }
  for (const { path, text } of updates) {
    writeFileAtomically(path, text);
    process.stderr.write(`devid: ${path} is written.\n`);
  }
}
