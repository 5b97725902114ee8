import {
  isRuleFile,
  openRuleFile,
  RuleFileError,
  runRuleTests,
  updateExpectations,
  type RuleFile,
} from "@devid/rules";
import { Command } from "commander";
import { jsonOption } from "../../flags/shared-options";
import { confirm } from "../../output/confirm";
import { EXIT, reportError } from "../../output/report-error";
import { ruleFiles } from "../../sources/rule-files";
import {
  changesReport,
  hasFailed,
  isCovered,
  ruleTestReport,
  type FileReport,
} from "../../output/rule-test-report";
import { writeFileAtomically } from "../../output/write-output";

interface Flags {
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly update?: boolean;
  readonly yes?: boolean;
}

/** A file whose expectations are to be updated, and its updated text. */
interface Update {
  readonly path: string;
  readonly text: string;
}

/**
 * `devid rules test`: runs the tests in rule files, and shows which rules they
 * reach.
 */
export function rulesTest(): Command {
  return new Command("test")
    .argument("<file...>", "YAML or JSON files; folders are searched")
    .addOption(jsonOption())
    .option("--strict", "fail when a rule is reached by no test")
    .option(
      "--update",
      "change what failing tests expect to what the rules decide; asks before it writes, and exits with 2 all the same",
    )
    .option("-y, --yes", "do not ask before --update writes")
    .action(async (paths: string[], flags: Flags) => {
      const { reports, updates } = testFiles(paths, flags);
      process.stdout.write(
        flags.json
          ? `${JSON.stringify(reports, undefined, 2)}\n`
          : ruleTestReport(reports, flags.strict ?? false),
      );
      const isFine = (report: FileReport) =>
        !hasFailed(report) && (!flags.strict || isCovered(report));
      if (!reports.every(isFine)) process.exitCode ??= EXIT.differences;
      if (updates.length === 0) return;
      if (!flags.json) process.stdout.write(`\n${changesReport(reports)}`);
      await write(updates, flags);
    });
}

function testFiles(paths: readonly string[], { update, json }: Flags) {
  const reports: FileReport[] = [];
  const updates: Update[] = [];
  const run = (file: RuleFile): FileReport => {
    const report = { file: file.path, ...runRuleTests(file) };
    if (!update) return report;
    const { text, changes } = updateExpectations(file, report);
    if (changes.length > 0) updates.push({ path: file.path, text });
    return { ...report, changes };
  };
  for (const { path, text } of ruleFiles(paths, isRuleFile))
    try {
      reports.push(run(openRuleFile(text, path)));
    } catch (error) {
      if (!(error instanceof RuleFileError)) throw error;
      process.exitCode = reportError(error, { json });
    }
  return { reports, updates };
}

async function write(
  updates: readonly Update[],
  { json, yes }: Flags,
): Promise<void> {
  const canAsk = !json && process.stdin.isTTY && process.stderr.isTTY;
  if (!yes && !canAsk) {
    process.stderr.write(
      "devid: Nothing was written, for there is no terminal to ask on; --yes writes without asking.\n",
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
