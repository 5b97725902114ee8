import {
  diffRules,
  formatDiffMarkdown,
  formatDiffText,
  type DiffNames,
  type RuleSetDiff,
} from "@devid/rules";
import {
  baseOption,
  Command,
  planOption,
  reportOptions,
  resourceOption,
  showSecretsOption,
  workspaceOptions,
} from "../../flags/shared-options";
import { timeOptions, warehouseOptions } from "../../flags/past-events-options";
import { eventsOf } from "../../sources/past-events";
import type { NamedRuleSet } from "../../sources/rule-set-source";
import {
  checkWarehouseFlags,
  namesWarehouse,
  type WarehouseFlags,
} from "../../sources/warehouse-events";
import { withoutKeys } from "../../output/without-keys";
import { calculate } from "../../interruption";
import { EXIT } from "../../output/report-error";
import {
  readRuleSets,
  type ComparedRules,
  type SourceOptions,
} from "../../sources/review/compared-rules";
import { printReport, type ReportFlags } from "../../output/print-report";
import { hasColors } from "../../output/write-output";
import { UsageError } from "../../errors";

interface Flags extends SourceOptions, WarehouseFlags, ReportFlags {
  readonly since: Date;
  readonly until?: Date;
  readonly base?: string;
  readonly plan?: string;
}

/** `devid rules diff`: shows how two rule sets differ in meaning. */
export function rulesDiff(): Command {
  const command = new Command("diff")
    .argument("[before]", "the rules to compare with, in place of --base")
    .argument(
      "[after]",
      "a rule file, the output of pulumi preview --json, or live: the rules in force",
    )
    .flags(
      baseOption(
        "default: the branch that the file is to be merged into, or live for a plan",
      ),
      planOption(),
      warehouseOptions(
        "count the past events of this source that each change decides differently",
      ),
      timeOptions("start of the past events of --events: 24h, 7d, or a time"),
      workspaceOptions(
        "environment of live rules and past events (default: the preview's, then the default environment)",
      ),
      resourceOption(),
      reportOptions("json", "markdown"),
      showSecretsOption(),
    );
  return command.action(async (first: string, second: string, flags: Flags) => {
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
    const diff = calculate(() => diffRules(was.rules, is.rules));
    const names = {
      before: was.name,
      after: is.name,
      onEvents: await onEvents([was, is], diff, flags),
    };
    const shown = withoutKeys({ names, diff }, flags);
    const { before: a, after: b, onEvents: counted } = shown.names;
    printReport(flags, {
      json: () => ({
        ...{ a, b, ...shown.diff },
        ...(counted && { onEvents: counted }),
      }),
      text: () =>
        formatDiffText(shown.diff, {
          ...shown.names,
          color: hasColors(flags),
        }),
      markdown: () => formatDiffMarkdown(shown.diff, shown.names),
    });
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
  const events = await eventsOf([is, was], flags);
  const counted = await events.diff(was.rules, diff, { start, end });
  return counted && { environment: counted.words, ...counted.found };
}
