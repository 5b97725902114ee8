import type { Region } from "@devid/sdk";
import { Command as PlainCommand, Option } from "commander";
import { wholeNumberFlag } from "./flag-values";

/** A command that takes its flags in groups. */
export class Command extends PlainCommand {
  flags(...groups: readonly (Option | readonly Option[])[]): this {
    for (const option of groups.flat()) this.addOption(option);
    return this;
  }
}

/**
 * A copy of the client's list, because the client is slow to load and offline commands
 * do not need it. A test compares the two lists.
 */
export const REGION_CHOICES = [
  "us",
  "eu",
  "ap",
] as const satisfies readonly Region[];

/** `--region`, which overrides the environment variable. */
export const regionOption = (): Option =>
  new Option("--region <region>", "region of the workspace").choices([
    ...REGION_CHOICES,
  ]);

/** `--environment`; `words` says what it chooses, and what applies without it. */
export const environmentOption = (words: string): Option =>
  new Option("--environment <id|name>", words);

/** `--json`: prints the result and errors as JSON. */
export const jsonOption = (words = "print JSON, errors too"): Option =>
  new Option("--json", words);

/** The flags that choose an environment of a workspace. */
export interface WorkspaceFlags {
  readonly region?: string;
  /** ID or name. */
  readonly environment?: string;
}

/** `--environment` and `--region`. `words` says what `--environment` chooses. */
export const workspaceOptions = (words: string): Option[] => [
  environmentOption(words),
  regionOption(),
];

/** `--format` (text or one of `formats`), `--json` and `--out`: how and where a report is written. */
export const reportOptions = (...formats: readonly string[]): Option[] => [
  new Option("--format <format>", "output format")
    .choices(["text", ...formats])
    .default("text"),
  jsonFormatOption(),
  outOption(),
];

/** The formats for machines, which `check`, `test` and `review` have. */
export const MACHINE_FORMATS = ["json", "sarif", "github", "junit"] as const;

/** `--json` for a command that also has `--format`. */
export const jsonFormatOption = (): Option =>
  jsonOption("the same as --format json; errors are JSON, too");

/** `--strict`; `what` lists the warnings that are not marked as such in a file. */
export const strictOption = (what: string): Option =>
  new Option("--strict", `also fail on warnings, and ${what}`);

/** `--max-rules`, for lint. */
export const maxRulesOption = (): Option =>
  new Option(
    "--max-rules <n>",
    "how many rules the account allows (default: 15)",
  ).argParser(wholeNumberFlag);

/** `--out`: where the report is written. */
export const outOption = (): Option =>
  new Option("--out <file>", "write the report to a file");

/** `--base`: what rules are compared with. */
export const baseOption = (words?: string): Option =>
  new Option(
    "--base <base>",
    `the rules to compare with: a file, a git ref, REF:PATH, or live: the rules in force${words ? ` (${words})` : ""}`,
  );

/** `--plan`: what a deployment does. */
export const planOption = (): Option =>
  new Option(
    "--plan <preview.json>",
    "the output of pulumi preview --json: what the deployment does",
  );

/** `--resource`, which chooses a rule set of a preview. */
export const resourceOption = (): Option =>
  new Option("--resource <name>", "rule set of a preview that shows several");

/** `--show-secrets`, for every command whose report hides keys. */
export const showSecretsOption = (): Option =>
  new Option("--show-secrets", "print keys in full instead of [redacted]");
