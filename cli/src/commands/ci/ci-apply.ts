import { applyReviewed } from "../../ci/apply";
import {
  fromVariables,
  hostOptions,
  pipelineOf,
  pullRequestOption,
  stackOption,
  type PipelineFlags,
} from "./pipeline-options";
import { Command, workspaceOptions } from "../../flags/shared-options";
import { EXIT } from "../../output/report-error";

interface Flags extends PipelineFlags {
  readonly region?: string;
  readonly recover?: true;
}

/** `devid ci apply`: applies the plan that was reviewed. */
export function ciApply(): Command {
  return new Command("apply")
    .argument("<file>", "the rule file")
    .flags(stackOption(), pullRequestOption(), hostOptions())
    .flags(
      fromVariables(
        workspaceOptions(
          "environment of the rules (default: the default environment)",
        ),
        { "--environment": "RULES_ENVIRONMENT" },
      ),
    )
    .option("--recover", "apply the plan that this run's recovery has kept")
    .action(async (path: string, given: Flags) => {
      const { flags, subject, host } = await pipelineOf(path, given);
      const { region, recover = false } = flags;
      const isWhole = await applyReviewed(host, subject, {
        isRecovery: recover,
        ...(region !== undefined && { region }),
      });
      if (!isWhole) process.exitCode = EXIT.error;
    });
}
