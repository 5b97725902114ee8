import {
  compareWorkspaces,
  formatComparisonMarkdown,
  formatComparisonText,
  isSame,
  type Comparison,
} from "@devid/pulumi/clone";
import { Command } from "commander";
import {
  environmentOption,
  formatOption,
  jsonFormatOption,
  showSecretsOption,
} from "../../flags/shared-options";
import {
  assertTwoWorkspaces,
  findSource,
  selectionOf,
} from "../../sources/compared-source";
import { withoutKeys } from "../../output/without-keys";
import { EXIT } from "../../output/report-error";

interface Flags {
  readonly format: "text" | "json" | "markdown";
  readonly environment?: string;
  readonly json?: true;
  readonly showSecrets?: boolean;
}

/** `devid compare`: shows how two workspaces differ. */
export function compare(): Command {
  return new Command("compare")
    .argument(
      "<before>",
      "a region, one environment of it (eu/Staging), or a folder of devid export",
    )
    .argument("<after>", "the same")
    .addOption(environmentOption("only this environment of both"))
    .addOption(formatOption("json", "markdown"))
    .addOption(jsonFormatOption())
    .addOption(showSecretsOption())
    .action(async (before: string, after: string, flags: Flags) => {
      const { environment } = flags;
      const readBefore = findSource(before);
      const readAfter = findSource(after);
      const was = await readBefore();
      const is = await readAfter();
      assertTwoWorkspaces(was, is);
      const comparison = compareWorkspaces(
        { name: before, selection: selectionOf(was, is, environment) },
        { name: after, selection: selectionOf(is, was, environment) },
      );
      const shown = await withoutKeys(comparison, flags);
      process.stdout.write(textOf(shown, flags));
      if (!isSame(comparison)) process.exitCode = EXIT.differences;
    });
}

function textOf(comparison: Comparison, { format, json }: Flags): string {
  if (json || format === "json")
    return `${JSON.stringify(comparison, undefined, 2)}\n`;
  if (format === "markdown") return formatComparisonMarkdown(comparison);
  const color = process.stdout.isTTY && process.stdout.hasColors();
  return formatComparisonText(comparison, { color });
}
