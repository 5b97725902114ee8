import { setFlagsFromString } from "node:v8";
import { reviewInPipeline } from "../../ci/review";
import { durationFlag, momentFlag } from "../../flags/flag-values";
import {
  fromVariables,
  hostOptions,
  pipelineOf,
  pullRequestOption,
  stackOption,
  type PipelineFlags,
} from "./pipeline-options";
import { reviewOptions, type ReviewFlags } from "../../flags/review-options";
import { Command } from "../../flags/shared-options";
import { EXIT } from "../../output/report-error";
import { isFile } from "../../sources/rule-files";

interface Flags extends ReviewFlags, PipelineFlags {
  readonly commit?: string;
  readonly environment?: string;
  readonly stack?: string;
  readonly policyPack?: string;
  readonly policyPackConfig?: string;
}

const POLICIES = "policies.json";

/** `devid ci review`: the review of a pull request, or of a recovery, in a pipeline. */
export function ciReview(): Command {
  const command = new Command("review");
  return command
    .argument("<file>", "the rule file")
    .flags(stackOption(), pullRequestOption(), hostOptions())
    .flags(
      fromVariables(reviewOptions(), {
        "--environment": "RULES_ENVIRONMENT",
        "--events": "EVENTS",
      }),
    )
    .option("--policy-pack <folder>", "policy pack that judges the plan")
    .option(
      "--policy-pack-config <file>",
      "JSON file with the settings of the policy pack (default: policies.json, if it is there)",
    )
    .action(async (path: string, given: Flags) => {
      // As for devid rules review.
      setFlagsFromString("--heap-growing-percent=50");
      const { flags, subject, host, env } = await pipelineOf(path, given);
      const isSinceGiven = command.getOptionValueSource("since") === "cli";
      const isGood = await reviewInPipeline(
        host,
        subject,
        {
          ...(isFile(POLICIES) && { policyPackConfig: POLICIES }),
          ...flags,
          ...pastOf(flags, isSinceGiven),
        },
        env,
      );
      if (!isGood) process.exitCode = EXIT.differences;
    });
}

/**
 * Past events of a warehouse are all of its last 30 days. Those of the service are of its
 * last day, read for two minutes at most.
 */
function pastOf(
  { events, since, sample, within, usage }: Flags,
  isSinceGiven: boolean,
): Pick<Flags, "since" | "within"> {
  if (events !== undefined)
    return { since: isSinceGiven ? since : momentFlag("30d") };
  const isBounded = sample !== undefined || within !== undefined || usage;
  return { since, within: isBounded ? within : durationFlag("2m") };
}
