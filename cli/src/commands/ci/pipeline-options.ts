import { Option } from "commander";
import { HOSTS, type HostFlags } from "../../ci/code-host";
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

/**
 * The rule file and stack of a pipeline. A flag of a pipeline is often an empty text where
 * nothing is chosen.
 * @throws UsageError without a stack
 */
export function pipelineSubject(
  path: string,
  { stack, environment }: PipelineFlags,
): Promise<Subject> {
  if (!stack)
    throw new UsageError(
      "The stack is not named: give --stack, or set PULUMI_STACK.",
    );
  return subjectOf(path, { stack, ...(environment && { environment }) });
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

/** Flags without empty texts, which a pipeline gives where nothing is chosen. */
export const withoutEmpty = <Flags extends object>(flags: Flags): Flags =>
  Object.fromEntries(
    Object.entries(flags).filter(([, value]) => value !== ""),
  ) as Flags;
