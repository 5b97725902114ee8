import { withTestProgress } from "../../output/progress";
import {
  isRuleFile,
  openRuleFile,
  RuleFileError,
  runLiveTests,
  runRuleTests,
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
import { EXIT, reportError } from "../../output/report-error";
import { configuredClient } from "../../sources/configured-client";
import { ruleFiles } from "../../sources/rule-files";
import {
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

interface Flags extends ReportFlags<(typeof MACHINE_FORMATS)[number] | "text"> {
  readonly strict?: boolean;
  readonly live?: boolean;
  readonly region?: string;
}

interface TestedFile {
  readonly file: RuleFile;
  report: FileReport;
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
      ),
      regionOption(),
      showSecretsOption(),
    )
    .action(async (paths: string[], flags: Flags) => {
      const format = formatOf(flags);
      const tested = testFiles(paths, flags);
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

function testFiles(paths: readonly string[], flags: Flags): TestedFile[] {
  const tested: TestedFile[] = [];
  for (const { path, text } of ruleFiles(paths, isRuleFile))
    try {
      const one = calculate(() => {
        const file = openRuleFile(text, path);
        return { file, report: { file: path, ...runRuleTests(file) } };
      });
      tested.push(one);
    } catch (error) {
      if (!(error instanceof RuleFileError)) throw error;
      const json = formatOf(flags) === "json";
      process.exitCode = reportError(error, { json });
    }
  return tested;
}
