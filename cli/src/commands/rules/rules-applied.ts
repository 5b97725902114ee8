import { formatApplied, type Applied } from "@devid/review";
import { formatOf, type ReportFlags } from "../../output/print-report";
import {
  Command,
  reportOptions,
  workspaceOptions,
  type WorkspaceFlags,
} from "../../flags/shared-options";
import { EXIT } from "../../output/report-error";
import { withoutKeys } from "../../output/without-keys";
import { writeReport } from "../../output/write-output";
import { appliedResources } from "../../sources/applied";
import { readEngineEvents } from "../../sources/engine-events";
import { digestInForce } from "../../sources/live-rules";
import { GitRepository } from "../../sources/review/git-repository";
import { LARGEST_OUTPUT, readTextFile } from "../../sources/rule-files";

interface Flags extends ReportFlags, WorkspaceFlags {
  readonly events: string;
  readonly plan?: string;
  readonly stack?: string;
}

/** `devid rules applied`: reports what `pulumi up` did and did not do, and the rules in force. */
export function rulesApplied(): Command {
  return new Command("applied")
    .argument("<file>", "the rule file that was deployed")
    .requiredOption(
      "--events <file>",
      "event log of the update: pulumi up --event-log FILE",
    )
    .option("--plan <plan.json>", "the saved plan that it applied")
    .option("--stack <name>", "stack of the update")
    .flags(
      workspaceOptions(
        "environment of the rules (default: the default environment)",
      ),
      reportOptions("json", "markdown"),
    )
    .action(async (path: string, flags: Flags) => {
      const { environment, stack, plan } = flags;
      const events = readEngineEvents(
        readTextFile(flags.events, LARGEST_OUTPUT).text,
      );
      const repository = await GitRepository.around(path).catch(
        () => undefined,
      );
      const applied: Applied = {
        version: 1,
        file: repository?.fileName ?? path,
        scope: {
          ...(environment !== undefined && { environment }),
          ...(stack !== undefined && { stack }),
        },
        ...appliedResources(events, {
          plan: plan && readTextFile(plan, LARGEST_OUTPUT).text,
        }),
        inForce: await digestInForce(flags),
      };
      const shown = withoutKeys(applied);
      writeReport(formatApplied(shown, formatOf(flags)), flags.out);
      if (applied.extent !== "whole") process.exitCode = EXIT.differences;
    });
}
