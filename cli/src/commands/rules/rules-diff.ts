import {
  diffRules,
  formatDiffMarkdown,
  formatDiffText,
  type DiffNames,
  type RuleSetDiff,
} from "@devid/rules";
import { Command } from "commander";
import {
  baseOption,
  environmentOption,
  formatOption,
  jsonFormatOption,
  outOption,
  planOption,
  regionOption,
  resourceOption,
  showSecretsOption,
} from "../../flags/shared-options";
import { withoutKeys } from "../../output/without-keys";
import { EXIT } from "../../output/report-error";
import {
  readRuleSets,
  type ComparedRules,
  type SourceOptions,
} from "../../sources/review/compared-rules";
import { writeReport, jsonReport } from "../../output/write-output";
import { UsageError } from "../../errors";

interface Flags extends SourceOptions {
  readonly base?: string;
  readonly plan?: string;
  readonly format: "text" | "json" | "markdown";
  readonly json?: boolean;
  readonly out?: string;
  readonly showSecrets?: boolean;
}

/** `devid rules diff`: shows how two rule sets differ in meaning. */
export function rulesDiff(): Command {
  return new Command("diff")
    .argument("[before]", "what it is compared with, in place of --base")
    .argument(
      "[after]",
      "a rule file, the output of pulumi preview --json, or live: the rules in force",
    )
    .addOption(
      baseOption(
        "default: the branch that the file is to be merged into, or live for a plan",
      ),
    )
    .addOption(planOption())
    .addOption(formatOption("json", "markdown"))
    .addOption(jsonFormatOption())
    .addOption(
      environmentOption(
        "environment whose rules are live (default: the preview's, then the default environment)",
      ),
    )
    .addOption(regionOption())
    .addOption(resourceOption())
    .addOption(outOption())
    .addOption(showSecretsOption())
    .action(async (first: string, second: string, flags: Flags) => {
      const compared = comparedRules([first, second], flags);
      const { before, after, plan } = compared;
      const isLive =
        [before, after].includes("live") || (plan !== undefined && !before);
      if (flags.environment !== undefined && !isLive)
        throw new UsageError(
          "--environment is for live rules, and neither side is live.",
        );
      const [was, is] = await readRuleSets(compared, flags);
      const diff = diffRules(was.rules, is.rules);
      const names = { before: was.name, after: is.name };
      const shown = await withoutKeys({ names, diff }, flags);
      writeReport(report(shown, flags), flags.out);
      if (diff.changes.length > 0) process.exitCode = EXIT.differences;
    });
}

/**
 * Assigns rules to the two sides. A flag names its side, and arguments fill the
 * remaining sides in order.
 */
function comparedRules(
  given: readonly (string | undefined)[],
  { base, plan }: Flags,
): ComparedRules {
  const names = given.filter((name) => name !== undefined);
  const after = plan === undefined ? names.pop() : undefined;
  const before = base ?? names.pop();
  if (names.length > 0)
    throw new UsageError(
      `Of --base, --plan and the arguments, two name what is compared; ${names.join(" and ")} is one too many.`,
    );
  return { before, after, plan };
}

function report(
  { names, diff }: { readonly names: DiffNames; readonly diff: RuleSetDiff },
  { format, json, out }: Flags,
): string {
  if (json || format === "json")
    return jsonReport({ a: names.before, b: names.after, ...diff });
  if (format === "markdown") return formatDiffMarkdown(diff, names);
  const isShown = out === undefined && process.stdout.isTTY;
  const color = isShown && process.stdout.hasColors();
  return formatDiffText(diff, { ...names, color });
}
