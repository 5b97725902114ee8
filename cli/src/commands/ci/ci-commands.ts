import { setFlagsFromString } from "node:v8";
import { formatDrift } from "@devid/clone";
import { applyReviewed } from "../../ci/apply";
import { takeRunnerVariables, type HostFlags } from "../../ci/code-host";
import { forOpenRequests, isReviewed } from "../../ci/comments";
import { driftReport, foundDrift, keepDriftIssue } from "../../ci/drift";
import { codeHost } from "../../ci/find-code-host";
import { reviewInPipeline } from "../../ci/review";
import { subjectOf } from "../../ci/subject";
import { UsageError } from "../../errors";
import {
  defineCommand,
  type Flag,
  flag,
  parsedFlag,
  textFlag,
  type ValuesOf,
} from "../../flags/define-command";
import {
  daysAgo,
  durationFlag,
  repeatedFlag,
  wholeNumberFlag,
} from "../../flags/flag-values";
import {
  REVIEW_FLAGS,
  type ReviewFlags,
} from "../../sources/review/review-flags";
import { workspaceFlags } from "../../flags/shared-flags";
import { EXIT } from "../../output/report-error";
import { writeTo } from "../../output/write-output";
import { isFile } from "../../sources/rule-files";
import { driftExit } from "../../sources/stack-drift";

/** Lets a variable of a pipeline stand in for a flag. */
const fromVariable = <Value>(one: Flag<Value>, variable: string) =>
  one.with((option) => option.env(variable));

/** `--review-workflow`, for the commands that name the workflow to the host. */
const WORKFLOW = {
  reviewWorkflow: textFlag(
    "<file> on GitHub, the workflow that reviews (default: rules-review.yml)",
  ),
};

/** `--pull-request`, for a workflow that no pull request starts. */
const PULL_REQUEST = {
  pullRequest: parsedFlag(
    "<number> number of the pull request (default: that of the event)",
    (text) => (text === "" ? text : String(wholeNumberFlag(1)(text))),
  ),
};

const STACK = {
  stack: fromVariable(textFlag("<name> stack of the program"), "PULUMI_STACK"),
};

/** The environment of a rule set, which a pipeline may set as RULES_ENVIRONMENT. */
const ofPipeline = <F extends ReturnType<typeof workspaceFlags>>(flags: F) => ({
  ...flags,
  environment: fromVariable(flags.environment, "RULES_ENVIRONMENT"),
});

const PLACE = ofPipeline(
  workspaceFlags("environment of the rules (default: the default environment)"),
);

const RULE_FILE = [["<file>", "the rule file"]] as const;

/** The flags that say which stack and which host a pipeline is about. */
type PipelineFlags = ValuesOf<typeof STACK & typeof PLACE> & HostFlags;

/**
 * Reads the variables of a pipeline, and the flags, of which those without a choice are empty texts.
 * @param path the rule file
 * @throws UsageError without a stack, or outside of a pipeline
 */
async function pipelineOf<Flags extends PipelineFlags>(
  path: string,
  given: Flags,
) {
  const flags = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== ""),
  ) as Flags;
  const { stack, environment } = flags;
  if (!stack)
    throw new UsageError(
      "The stack is not named: give --stack, or set PULUMI_STACK.",
    );
  const subject = await subjectOf(path, { stack, environment });
  const env = takeRunnerVariables();
  return { flags, subject, host: codeHost(flags, env), env };
}

const POLICIES = "policies.json";

const CI_REVIEW_FLAGS = {
  ...STACK,
  ...PULL_REQUEST,
  ...ofPipeline(REVIEW_FLAGS),
  events: fromVariable(REVIEW_FLAGS.events, "EVENTS"),
  policyPack: textFlag("<folder> policy pack that judges the plan"),
  policyPackConfig: textFlag(
    "<file> JSON file with the settings of the policy pack (default: policies.json, if it is there)",
  ),
};

/** `devid ci review`: the review of a pull request, or of a recovery, in a pipeline. */
export const ciReview = defineCommand({
  arguments: RULE_FILE,
  flags: CI_REVIEW_FLAGS,
  run: async (path, given) => {
    // As for devid rules review.
    setFlagsFromString("--heap-growing-percent=50");
    const { flags, subject, host, env } = await pipelineOf(path, given);
    process.exitCode = await reviewInPipeline(
      host,
      subject,
      {
        ...(isFile(POLICIES) && { policyPackConfig: POLICIES }),
        ...flags,
        ...pastOf(flags),
      },
      env,
    );
  },
});

/**
 * Past events of a warehouse are all of its last 30 days. Those of the service are of its
 * last day, read for two minutes at most.
 */
function pastOf(
  flags: ValuesOf<typeof CI_REVIEW_FLAGS>,
): Pick<ReviewFlags, "since" | "within"> {
  const { events, since, sample, within, usage } = flags;
  if (events !== undefined) return { since: since ?? daysAgo(30) };
  const isBounded = sample !== undefined || within !== undefined || usage;
  return { since, within: isBounded ? within : durationFlag("2m") };
}

/** `devid ci apply`: applies the plan that was reviewed. */
export const ciApply = defineCommand({
  arguments: RULE_FILE,
  flags: {
    ...STACK,
    ...PULL_REQUEST,
    ...WORKFLOW,
    ...PLACE,
    recover: flag("apply the plan that this run's recovery has kept"),
  },
  run: async (path, given) => {
    const { flags, subject, host } = await pipelineOf(path, given);
    const { region, recover = false } = flags;
    process.exitCode = await applyReviewed(host, subject, {
      isRecovery: recover,
      region,
    });
  },
});

/**
 * `devid ci review-again`: starts the reviews of the open pull requests again, after their
 * base has changed. Only pull requests that this account has reviewed count.
 */
export const ciReviewAgain = defineCommand({
  flags: WORKFLOW,
  run: async (flags) => {
    const host = codeHost(flags, takeRunnerVariables());
    await forOpenRequests(host, async (request) => {
      if (!(await isReviewed(host, request))) return undefined;
      return (await host.reviewAgain(request))
        ? `The review of ${request} is begun again.`
        : `${request} comes from a fork, so its review is not begun again.`;
    });
  },
});

/** `devid ci drift`: keeps one issue about what of the workspace differs from the stack. */
export const ciDrift = defineCommand({
  arguments: RULE_FILE,
  flags: {
    ...STACK,
    ...PLACE,
    otherStack: parsedFlag(
      "<name> another stack of this program with objects in the workspace; may be repeated",
      repeatedFlag,
    ),
  },
  run: async (path, given) => {
    const { flags, subject, host, env } = await pipelineOf(path, given);
    const found = await foundDrift(subject.stack, flags);
    const exitCode = "failure" in found ? found.exitCode : driftExit(found);
    if ("failure" in found) process.stderr.write(`devid: ${found.failure}\n`);
    else process.stdout.write(formatDrift(found, "text"));
    if (env.GITHUB_STEP_SUMMARY)
      writeTo(env.GITHUB_STEP_SUMMARY, driftReport(subject, found), {
        flag: "a",
      });
    const differing = exitCode === EXIT.ok ? undefined : found;
    const done = await keepDriftIssue(host, subject, differing);
    process.stdout.write(`${done}\n`);
    process.exitCode = exitCode;
  },
});
