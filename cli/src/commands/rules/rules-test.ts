import { withProgress } from "../../output/progress";
import {
  isRuleFile,
  openRuleFile,
  RuleFileError,
  runLiveTests,
  runRuleTests,
  type RuleFile,
} from "@devid/rules";
import { defineCommand, flag, type ValuesOf } from "../../flags/define-command";
import {
  MACHINE_FORMATS,
  regionFlag,
  reportFlags,
  showSecretsFlag,
  strictFlag,
} from "../../flags/shared-flags";
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
import { printReport, formatOf } from "../../output/print-report";
import { withoutKeys } from "../../output/without-keys";

const FLAGS = {
  ...reportFlags(...MACHINE_FORMATS),
  strict: strictFlag(
    "on rules that no test reaches, and on tests that --live could not ask",
  ),
  live: flag("also ask the service, and show where it decides otherwise"),
  region: regionFlag,
  showSecrets: showSecretsFlag,
};

/**
 * `devid rules test`: runs the tests in rule files, and shows which rules they
 * reach. With `--live`, the service decides the same tests, and different decisions are
 * shown.
 */
export const rulesTest = defineCommand({
  arguments: [["<file...>", "YAML or JSON files, or -; folders are searched"]],
  flags: FLAGS,
  run: async (paths, flags) => {
    const json = formatOf(flags) === "json";
    const tested: { readonly file: RuleFile; report: FileReport }[] = [];
    for (const { path, text } of ruleFiles(paths, isRuleFile))
      try {
        const one = calculate(() => {
          const file = openRuleFile(text, path);
          return { file, report: { file: path, ...runRuleTests(file) } };
        });
        tested.push(one);
      } catch (error) {
        if (!(error instanceof RuleFileError)) throw error;
        process.exitCode = reportError(error, { json });
      }
    // The offline results are printed even if the service does not answer.
    const failed = flags.live
      ? await askService(tested, flags).catch((error: unknown) => ({ error }))
      : undefined;
    const reports = tested.map(({ report }) => report);
    printReport(flags, {
      json: () => ({ files: reports }),
      text: () => ruleTestReport(reports, flags.strict ?? false),
      suites: () => reports.map(suiteOfReport),
    });
    const isFine = (report: FileReport) =>
      !hasFailed(report) && (!flags.strict || isCovered(report));
    if (failed) process.exitCode = reportError(failed.error, { json });
    if (!reports.every(isFine)) process.exitCode ??= EXIT.differences;
  },
});

/** Adds the decisions of the service to each report, one file after the other. */
async function askService(
  tested: readonly { readonly file: RuleFile; report: FileReport }[],
  flags: ValuesOf<typeof FLAGS>,
): Promise<undefined> {
  const client = configuredClient(flags);
  const { region, managementUrl } = client.configuration;
  await withProgress("tests", async ({ signal, onProgress }) => {
    for (const one of tested) {
      const { file, report } = one;
      const live = await runLiveTests(
        file,
        report.tests,
        (question) => client.filteringRules.test(question, { signal }),
        {
          onProgress: (done, all) =>
            onProgress({ share: done / all, done, all }),
        },
      );
      const shown = withoutKeys({ region, managementUrl, ...live }, flags);
      one.report = { ...report, live: shown };
    }
  });
}
