import {
  diffRules,
  formatDiffMarkdown,
  formatDiffText,
  type DiffNames,
  type RuleSetDiff,
} from "@devid/rules";
import { Command } from "commander";
import {
  environmentOption,
  formatOption,
  jsonFormatOption,
  regionOption,
  resourceOption,
  showSecretsOption,
} from "../../flags/shared-options";
import { withoutKeys } from "../../output/without-keys";
import { EXIT } from "../../output/report-error";
import {
  readRuleSets,
  type SourceOptions,
} from "../../sources/rule-set-source";
import { writeReport } from "../../output/write-output";
import { UsageError } from "../../errors";

interface Flags extends SourceOptions {
  readonly format: "text" | "json" | "markdown";
  readonly json?: boolean;
  readonly out?: string;
  readonly showSecrets?: boolean;
}

/** `devid rules diff`: shows how two rule sets differ in meaning. */
export function rulesDiff(): Command {
  return new Command("diff")
    .argument(
      "<before>",
      "a rule file, the output of pulumi preview --json, or live: the rules in force",
    )
    .argument("<after>", "the same")
    .addOption(formatOption("json", "markdown"))
    .addOption(jsonFormatOption())
    .addOption(
      environmentOption(
        "environment whose rules are live (default: that of the preview, or else the default environment)",
      ),
    )
    .addOption(regionOption())
    .addOption(resourceOption())
    .option("--out <file>", "write it to a file")
    .addOption(showSecretsOption())
    .action(async (before: string, after: string, flags: Flags) => {
      if (flags.environment !== undefined && ![before, after].includes("live"))
        throw new UsageError(
          "--environment is for live rules, and neither side is live.",
        );
      const [was, is] = await readRuleSets(before, after, flags);
      const diff = diffRules(was.rules, is.rules);
      const names = { before: was.name, after: is.name };
      const shown = await withoutKeys({ names, diff }, flags);
      writeReport(report(shown, flags), flags.out);
      if (diff.changes.length > 0) process.exitCode = EXIT.differences;
    });
}

function report(
  { names, diff }: { readonly names: DiffNames; readonly diff: RuleSetDiff },
  { format, json, out }: Flags,
): string {
  if (json || format === "json")
    return `${JSON.stringify({ version: 1, a: names.before, b: names.after, ...diff }, undefined, 2)}\n`;
  if (format === "markdown") return formatDiffMarkdown(diff, names);
  const isShown = out === undefined && process.stdout.isTTY;
  const color = isShown && process.stdout.hasColors();
  return formatDiffText(diff, { ...names, color });
}
