import { appendFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { driftCount, formatDrift } from "@devid/clone";
import { Option } from "commander";
import { applyReviewed } from "../../ci/apply";
import {
  HOSTS,
  takeRunnerVariables,
  type CodeHost,
  type HostFlags,
  type RunnerVariables,
} from "../../ci/code-host";
import { isReviewed } from "../../ci/comments";
import { driftReport, foundDrift, keepDriftIssue } from "../../ci/drift";
import { codeHost } from "../../ci/find-code-host";
import { reviewInPipeline } from "../../ci/review";
import { subjectOf, type Subject } from "../../ci/subject";
import { UsageError } from "../../errors";
import {
  durationFlag,
  momentFlag,
  repeatedFlag,
} from "../../flags/flag-values";
import { reviewOptions, type ReviewFlags } from "../../flags/review-options";
import { Command, workspaceOptions } from "../../flags/shared-options";
import { EXIT } from "../../output/report-error";
import { isFile } from "../../sources/rule-files";

/** The flags that say which stack and which host a pipeline is about. */
interface PipelineFlags extends HostFlags {
  readonly region?: string;
  readonly stack?: string;
  readonly environment?: string;
}

/** What a command of a pipeline is about, and where it runs. */
interface Pipeline<Flags> {
  /** The flags without empty texts, which a pipeline gives where nothing is chosen. */
  readonly flags: Flags;
  readonly subject: Subject;
  readonly host: CodeHost;
  readonly env: RunnerVariables;
}

/** `--host` and `--review-workflow`, the rest of which the runner says. */
const hostOptions = (): Option[] => [
  new Option(
    "--host <host>",
    "host of the repository (default: that of the runner)",
  ).choices(HOSTS),
  new Option(
    "--review-workflow <file>",
    "on GitHub, the workflow that reviews (default: rules-review.yml)",
  ),
];

/** `--pull-request`, for a workflow that no pull request starts. */
const pullRequestOption = (): Option =>
  new Option(
    "--pull-request <number>",
    "number of the pull request (default: that of the event)",
  );

/** Lets variables of a pipeline stand in for flags, by the flags' names. */
const fromVariables = (
  options: readonly Option[],
  variables: Readonly<Record<string, string>>,
): Option[] =>
  options.map((option) => {
    const variable = variables[option.long ?? ""];
    return variable === undefined ? option : option.env(variable);
  });

/** A command about a rule file and a stack; a pipeline may set PULUMI_STACK in place of `--stack`. */
const pipelineCommand = (
  name: string,
  ...options: readonly Option[]
): Command =>
  new Command(name)
    .argument("<file>", "the rule file")
    .flags(
      new Option("--stack <name>", "stack of the program").env("PULUMI_STACK"),
      options,
      hostOptions(),
    );

/** The workspace of the rules; a pipeline may set RULES_ENVIRONMENT. */
const placeOptions = (): Option[] =>
  fromVariables(
    workspaceOptions(
      "environment of the rules (default: the default environment)",
    ),
    { "--environment": "RULES_ENVIRONMENT" },
  );

/**
 * Reads the flags and the variables of a pipeline.
 * @param path the rule file
 * @throws UsageError without a stack, or outside of a pipeline
 */
async function pipelineOf<Flags extends PipelineFlags>(
  path: string,
  given: Flags,
): Promise<Pipeline<Flags>> {
  const flags = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== ""),
  ) as Flags;
  const { stack, environment } = flags;
  if (!stack)
    throw new UsageError(
      "The stack is not named: give --stack, or set PULUMI_STACK.",
    );
  const subject = await subjectOf(path, {
    stack,
    ...(environment && { environment }),
  });
  const env = takeRunnerVariables();
  return { flags, subject, host: codeHost(flags, env), env };
}

interface ReviewInPipelineFlags extends ReviewFlags, PipelineFlags {
  readonly commit?: string;
  readonly policyPack?: string;
  readonly policyPackConfig?: string;
}

const POLICIES = "policies.json";

/** `devid ci review`: the review of a pull request, or of a recovery, in a pipeline. */
export function ciReview(): Command {
  const command = pipelineCommand("review", pullRequestOption());
  return command
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
    .action(async (path: string, given: ReviewInPipelineFlags) => {
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
  { events, since, sample, within, usage }: ReviewInPipelineFlags,
  isSinceGiven: boolean,
): Pick<ReviewFlags, "since" | "within"> {
  if (events !== undefined)
    return { since: isSinceGiven ? since : momentFlag("30d") };
  const isBounded = sample !== undefined || within !== undefined || usage;
  return { since, within: isBounded ? within : durationFlag("2m") };
}

/** `devid ci apply`: applies the plan that was reviewed. */
export const ciApply = (): Command =>
  pipelineCommand("apply", pullRequestOption())
    .flags(placeOptions())
    .option("--recover", "apply the plan that this run's recovery has kept")
    .action(
      async (
        path: string,
        given: PipelineFlags & { readonly recover?: true },
      ) => {
        const { flags, subject, host } = await pipelineOf(path, given);
        const { region, recover = false } = flags;
        const isWhole = await applyReviewed(host, subject, {
          isRecovery: recover,
          ...(region !== undefined && { region }),
        });
        if (!isWhole) process.exitCode = EXIT.error;
      },
    );

/**
 * `devid ci review-again`: starts the reviews of the open pull requests again, after their
 * base has changed. Only pull requests that this account has reviewed count.
 */
export const ciReviewAgain = (): Command =>
  new Command("review-again")
    .flags(hostOptions())
    .action(async (flags: HostFlags) => {
      const host = codeHost(flags, takeRunnerVariables());
      for (const request of await host.openRequests()) {
        if (!(await isReviewed(host, request))) continue;
        const isBegun = await host.reviewAgain(request);
        process.stdout.write(
          isBegun
            ? `The review of ${request} is begun again.\n`
            : `${request} comes from a fork, so its review is not begun again.\n`,
        );
      }
    });

/** `devid ci drift`: keeps one issue about what of the workspace differs from the stack. */
export const ciDrift = (): Command =>
  pipelineCommand("drift")
    .flags(placeOptions())
    .option(
      "--other-stack <name>",
      "another stack of this program with objects in the workspace; may be repeated",
      repeatedFlag,
    )
    .action(
      async (
        path: string,
        given: PipelineFlags & { readonly otherStack?: readonly string[] },
      ) => {
        const { flags, subject, host, env } = await pipelineOf(path, given);
        const found = await foundDrift(subject.stack, flags);
        const isJudged = !("failure" in found) && found.notJudged.length === 0;
        const differs = !isJudged || driftCount(found) > 0;
        process.stdout.write(
          "failure" in found
            ? `${found.failure}\n`
            : formatDrift(found, "text"),
        );
        if (env.GITHUB_STEP_SUMMARY)
          appendFileSync(env.GITHUB_STEP_SUMMARY, driftReport(subject, found));
        const done = await keepDriftIssue(
          host,
          subject,
          differs ? found : undefined,
        );
        process.stdout.write(`${done}\n`);
        if (differs)
          process.exitCode = isJudged ? EXIT.differences : EXIT.error;
      },
    );
