import { Option } from "commander";
import {
  HOSTS,
  takeRunnerVariables,
  type CodeHost,
  type HostFlags,
  type RunnerVariables,
} from "../../ci/code-host";
import { codeHost } from "../../ci/find-code-host";
import { subjectOf, type Subject } from "../../ci/subject";
import { UsageError } from "../../errors";

/** The flags that say which stack and which host a pipeline is about. */
export interface PipelineFlags extends HostFlags {
  readonly stack?: string;
  readonly environment?: string;
}

/** `--host` and `--review-workflow`, the rest of which the runner says. */
export const hostOptions = (): Option[] => [
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
export const pullRequestOption = (): Option =>
  new Option(
    "--pull-request <number>",
    "number of the pull request (default: that of the event)",
  );

/** `--stack`; a pipeline may set PULUMI_STACK in its place. */
export const stackOption = (): Option =>
  new Option("--stack <name>", "stack of the program").env("PULUMI_STACK");

/** What a command of a pipeline is about, and where it runs. */
export interface Pipeline<Flags> {
  /** The flags without empty texts, which a pipeline gives where nothing is chosen. */
  readonly flags: Flags;
  readonly subject: Subject;
  readonly host: CodeHost;
  readonly env: RunnerVariables;
}

/**
 * Reads the flags and the variables of a pipeline.
 * @param path the rule file
 * @throws UsageError without a stack, or outside of a pipeline
 */
export async function pipelineOf<Flags extends PipelineFlags>(
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

/** Lets variables of a pipeline stand in for flags, by the flags' names. */
export function fromVariables(
  options: readonly Option[],
  variables: Readonly<Record<string, string>>,
): Option[] {
  return options.map((option) => {
    const variable = variables[option.long ?? ""];
    return variable === undefined ? option : option.env(variable);
  });
}
