import {
  diffOnEvents,
  diffRules,
  formatDiffMarkdown,
  formatDiffText,
  type DiffNames,
  type RuleSetDiff,
} from "@devid/rules";
import { defineCommand, type ValuesOf } from "../../flags/define-command";
import {
  baseFlag,
  planFlag,
  rangeOf,
  reportFlags,
  resourceFlag,
  showSecretsFlag,
  timeFlags,
  warehouseFlags,
  workspaceFlags,
} from "../../flags/shared-flags";
import { askEvents, eventsOf } from "../../sources/past-events";
import type { NamedRuleSet } from "../../sources/rule-set-source";
import {
  checkWarehouseFlags,
  namesWarehouse,
} from "../../sources/warehouse-events";
import { withoutKeys } from "../../output/without-keys";
import { calculate } from "../../interruption";
import { EXIT } from "../../output/report-error";
import {
  readRuleSets,
  type ComparedRules,
} from "../../sources/review/compared-rules";
import { printReport } from "../../output/print-report";
import { hasColors } from "../../output/write-output";
import { UsageError } from "../../errors";

const FLAGS = {
  base: baseFlag(
    "default: the branch that the file is to be merged into, or live for a plan",
  ),
  plan: planFlag,
  ...warehouseFlags(
    "count the past events of this source that each change decides differently",
  ),
  ...timeFlags("start of the past events of --events: 24h, 7d, or a time"),
  ...workspaceFlags(
    "environment of live rules and past events (default: the preview's, then the default environment)",
  ),
  resource: resourceFlag,
  ...reportFlags("json", "markdown"),
  showSecrets: showSecretsFlag,
};
type Flags = ValuesOf<typeof FLAGS>;

/** `devid rules diff`: shows how two rule sets differ in meaning. */
export const rulesDiff = defineCommand({
  arguments: [
    ["[before]", "the rules to compare with, in place of --base"],
    [
      "[after]",
      "a rule file, the output of pulumi preview --json, or live: the rules in force",
    ],
  ],
  flags: FLAGS,
  run: async (first, second, flags) => {
    checkWarehouseFlags(flags, { alsoTimes: true });
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
  },
});

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
  const range = rangeOf(flags);
  const { words, found } = await askEvents(
    await eventsOf([is, was], flags),
    (events) =>
      diffOnEvents(was.rules, diff, (sets) =>
        events.impact({ ...range, ...sets, isBrief: true }),
      ),
  );
  return { environment: words, ...found };
}
