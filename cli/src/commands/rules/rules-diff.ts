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
import { addTimeOptions } from "../../flags/past-events-options";
import { addWarehouseOptions } from "../../flags/warehouse-options";
import { placeOfEvents } from "../../sources/place-of-events";
import type { NamedRuleSet } from "../../sources/rule-set-source";
import {
  checkWarehouseFlags,
  environmentOfEvents,
  namesWarehouse,
  warehouseDiff,
  type WarehouseFlags,
} from "../../sources/warehouse-events";
import { withoutKeys } from "../../output/without-keys";
import { EXIT } from "../../output/report-error";
import {
  readRuleSets,
  type ComparedRules,
  type SourceOptions,
} from "../../sources/review/compared-rules";
import { writeReport, jsonReport } from "../../output/write-output";
import { UsageError } from "../../errors";

interface Flags extends SourceOptions, WarehouseFlags {
  readonly since: Date;
  readonly until?: Date;
  readonly base?: string;
  readonly plan?: string;
  readonly format: "text" | "json" | "markdown";
  readonly json?: boolean;
  readonly out?: string;
  readonly showSecrets?: boolean;
}

/** `devid rules diff`: shows how two rule sets differ in meaning. */
export function rulesDiff(): Command {
  const command = new Command("diff")
    .argument("[before]", "the rules to compare with, in place of --base")
    .argument(
      "[after]",
      "a rule file, the output of pulumi preview --json, or live: the rules in force",
    )
    .addOption(
      baseOption(
        "default: the branch that the file is to be merged into, or live for a plan",
      ),
    )
    .addOption(planOption());
  return addTimeOptions(
    addWarehouseOptions(
      command,
      "count the past events of this source that each change decides differently",
    ),
    "start of the past events of --events: 24h, 7d, or a time",
  )
    .addOption(formatOption("json", "markdown"))
    .addOption(jsonFormatOption())
    .addOption(
      environmentOption(
        "environment of live rules and past events (default: the preview's, then the default environment)",
      ),
    )
    .addOption(regionOption())
    .addOption(resourceOption())
    .addOption(outOption())
    .addOption(showSecretsOption())
    .action(async (first: string, second: string, flags: Flags) => {
      const timeFlag = (["until", "since"] as const).find(
        (name) => command.getOptionValueSource(name) === "cli",
      );
      checkWarehouseFlags(flags, timeFlag && `--${timeFlag}`);
      const compared = comparedRules([first, second], flags);
      const { before, after, plan } = compared;
      const isLive =
        [before, after].includes("live") || (plan !== undefined && !before);
      if (flags.environment !== undefined && !isLive && !namesWarehouse(flags))
        throw new UsageError(
          "--environment is for live rules, and neither side is live.",
        );
      const [was, is] = await readRuleSets(compared, flags);
      const diff = diffRules(was.rules, is.rules);
      const names = {
        before: was.name,
        after: is.name,
        onEvents: await onEvents([was, is], diff, flags),
      };
      const shown = withoutKeys({ names, diff }, flags);
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
      `--base, --plan and the arguments may name two things to compare; ${names.join(" and ")} is one too many.`,
    );
  return { before, after, plan };
}

/** What the changes do to the past events of a warehouse, if one is named. */
async function onEvents(
  [was, is]: readonly [NamedRuleSet, NamedRuleSet],
  diff: RuleSetDiff,
  flags: Flags,
): Promise<DiffNames["onEvents"]> {
  if (!namesWarehouse(flags) || diff.changes.length === 0) return undefined;
  const { since: start, until: end = new Date() } = flags;
  const place = await placeOfEvents([is, was], flags);
  return warehouseDiff(
    flags,
    { before: was.rules, diff },
    { start, end },
    environmentOfEvents(place, flags),
  );
}

function report(
  { names, diff }: { readonly names: DiffNames; readonly diff: RuleSetDiff },
  { format, json, out }: Flags,
): string {
  if (json || format === "json")
    return jsonReport({
      a: names.before,
      b: names.after,
      ...diff,
      ...(names.onEvents && { onEvents: names.onEvents }),
    });
  if (format === "markdown") return formatDiffMarkdown(diff, names);
  const isShown = out === undefined && process.stdout.isTTY;
  const color = isShown && process.stdout.hasColors();
  return formatDiffText(diff, { ...names, color });
}
