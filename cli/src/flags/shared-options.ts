import type { Region } from "@devid/sdk";
import { Option } from "commander";

/** Written down here, for the client takes a while to load and offline commands do without; a test compares. */
export const REGION_CHOICES = [
  "us",
  "eu",
  "ap",
] as const satisfies readonly Region[];

/** `--region`, which wins over the environment variable. */
export const regionOption = (): Option =>
  new Option("--region <region>", "region of the workspace").choices([
    ...REGION_CHOICES,
  ]);

/** `--environment`. The words say what it chooses, and what counts without it. */
export const environmentOption = (words: string): Option =>
  new Option("--environment <id|name>", words);

/** `--json`: the result as JSON, and errors, too. */
export const jsonOption = (words = "print JSON, errors too"): Option =>
  new Option("--json", words);

/** `--format`, text unless said otherwise. */
export const formatOption = (...formats: readonly string[]): Option =>
  new Option("--format <format>", "how it is printed")
    .choices(["text", ...formats])
    .default("text");

/** `--json` beside `--format`. */
export const jsonFormatOption = (): Option =>
  jsonOption("the same as --format json; errors are JSON, too");

/** `--resource`: which rule set of a preview is meant. */
export const resourceOption = (): Option =>
  new Option("--resource <name>", "rule set of a preview that shows several");

/** `--show-secrets`, of every command whose report hides keys. */
export const showSecretsOption = (): Option =>
  new Option("--show-secrets", "print keys in full instead of [redacted]");
