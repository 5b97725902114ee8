import {
  driftCount,
  formatDrift,
  formatFailedDrift,
  type Drift,
} from "@devid/clone";
import { repeatedFlag } from "../../flags/flag-values";
import { Command, reportOptions } from "../../flags/shared-options";
import { errorText, EXIT } from "../../output/report-error";
import { withoutKeys } from "../../output/without-keys";
import {
  printReport,
  formatOf,
  type ReportFlags,
} from "../../output/print-report";
import { writeReport } from "../../output/write-output";
import { driftOf, type DriftRequest } from "../../sources/stack-drift";

interface Flags extends ReportFlags, DriftRequest {}

/**
 * `devid drift`: shows the objects that differ from the stack's state and program, and
 * the objects that are in no state.
 */
export function drift(): Command {
  return new Command("drift")
    .argument("[folder]", "folder of the program, with Pulumi.yaml", ".")
    .option("--stack <name>", "stack of the program; default: the selected one")
    .option(
      "--plan <preview.json>",
      "output of pulumi preview --json --show-sames, instead of running pulumi",
    )
    .option(
      "--plan-log <file>",
      "what pulumi preview printed on standard error, the reason if it printed nothing else",
    )
    .option(
      "--other-state <file>",
      "pulumi stack export of another stack with objects in the workspace; repeatable",
      repeatedFlag,
    )
    .option(
      "--allowed <file>",
      "IDs of objects that are meant to be in no state, one a line; # begins a comment",
    )
    .option("--ours-only", "leave out the objects that are in no state")
    .flags(reportOptions("json", "markdown"))
    .action(async (folder: string, flags: Flags) => {
      let found: Drift;
      try {
        found = await driftOf(folder, flags);
      } catch (error) {
        writeFailure(error, flags);
        throw error;
      }
      const shown = withoutKeys(found);
      printReport(flags, {
        json: () => shown,
        text: () => formatDrift(shown, "text"),
        markdown: () => formatDrift(shown, "markdown"),
      });
      if (driftCount(found) > 0) process.exitCode = EXIT.differences;
      else if (found.notJudged.length > 0) process.exitCode = EXIT.error;
    });
}

/** Writes the error to the Markdown report, too, because it becomes an issue. */
function writeFailure(error: unknown, flags: Flags): void {
  if (flags.out === undefined || formatOf(flags) !== "markdown") return;
  const message = withoutKeys(errorText(error));
  writeReport(formatFailedDrift(message, flags.stack), flags.out);
}
