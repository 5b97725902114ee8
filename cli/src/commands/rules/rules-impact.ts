import {
  formatImpactMarkdown,
  formatImpactText,
  assumedHeaders,
  impossibleOutcomes,
  mayChange,
  unreadableIn,
  type Impact,
} from "@devid/review/replay";
import {
  baseOption,
  Command,
  planOption,
  reportOptions,
  resourceOption,
  showSecretsOption,
  workspaceOptions,
} from "../../flags/shared-options";
import { eventsOf, type PastEvents } from "../../sources/past-events";
import { numberFlag } from "../../flags/flag-values";
import { withoutKeys } from "../../output/without-keys";
import { EXIT } from "../../output/report-error";
import {
  readRuleSets,
  type SourceOptions,
} from "../../sources/review/compared-rules";
import type { NamedRuleSet } from "../../sources/rule-set-source";
import {
  assumeNotSentOption,
  sampleOptions,
  timeOptions,
  warehouseOptions,
} from "../../flags/past-events-options";
import {
  checkWarehouseFlags,
  type WarehouseFlags,
} from "../../sources/warehouse-events";
import { printReport, type ReportFlags } from "../../output/print-report";

interface Flags extends SourceOptions, WarehouseFlags, ReportFlags {
  readonly since: Date;
  readonly until?: Date;
  readonly sample?: number;
  readonly within?: number;
  readonly base: string;
  readonly plan?: string;
  readonly suspectThreshold?: number;
  readonly by?: string;
  readonly assumeNotSent: readonly string[];
}

/** `devid rules impact`: shows what rules would have done to past events. */
export function rulesImpact(): Command {
  return new Command("impact")
    .argument("[file]", "a rule file, or the output of pulumi preview --json")
    .flags(
      baseOption().default("live", "live"),
      planOption(),
      timeOptions(),
      warehouseOptions(),
      sampleOptions(),
    )
    .option(
      "--by <label>",
      "also count the changed events by the values of this label: tags.suspect, or a column of a warehouse",
    )
    .option(
      "--suspect-threshold <score>",
      "an event is suspect when its score is above it (default: 10)",
      numberFlag,
    )
    .flags(
      assumeNotSentOption(),
      workspaceOptions(
        "environment of live rules and events (default: the preview's, then the default environment)",
      ),
      resourceOption(),
      reportOptions("json", "markdown"),
      showSecretsOption(),
    )
    .action(async (after: string | undefined, flags: Flags) => {
      checkWarehouseFlags(flags);
      const { base: before, plan } = flags;
      const compared = { before, after, plan };
      const [inForce, proposed] = await readRuleSets(compared, flags);
      const events = await eventsOf([proposed, inForce], flags);
      const measure = measured(proposed, inForce, events, flags);
      const { words, found: impact } = await measure;
      const shown = withoutKeys(
        {
          a: inForce.name,
          b: proposed.name,
          environment: words,
          ...impact,
        },
        flags,
      );
      const names = {
        before: shown.a,
        after: `${shown.b} on past events of ${shown.environment}`,
      };
      printReport(flags, {
        json: () => shown,
        text: () => formatImpactText(shown, names),
        markdown: () => formatImpactMarkdown(shown, names),
      });
      const unjudged = isProven(proposed, inForce) ? "" : whyUnjudged(impact);
      const isUnjudged = unjudged !== "";
      process.stderr.write(unjudged);
      if (isUnjudged || mayChange(impact)) process.exitCode = EXIT.differences;
    });
}

/** Says why past events do not tell what the rules would do; empty if they do. */
function whyUnjudged({ events, rows }: Impact): string {
  if (events === 0)
    return "No past event was replayed, so it is unknown what the rules would do: exit code 2.\n";
  if (unreadableIn(rows) > 0)
    return "Some past events could not be read, so it is unknown what the rules would do to them: exit code 2.\n";
  return "";
}

/** Whether it is proven that two rule sets decide every request the same. */
function isProven(proposed: NamedRuleSet, inForce: NamedRuleSet): boolean {
  return impossibleOutcomes(inForce.rules, proposed.rules).size === 2;
}

function measured(
  { rules: proposed, assumeNotSent: assumed = [] }: NamedRuleSet,
  { rules: inForce, assumeNotSent: before }: NamedRuleSet,
  events: PastEvents,
  flags: Flags,
): ReturnType<PastEvents["impact"]> {
  const { since, until = new Date(), sample, within, ...others } = flags;
  const { suspectThreshold, assumeNotSent, by } = others;
  const replay = {
    proposed,
    inForce,
    start: since,
    end: until,
    suspectThreshold,
    by,
    assumeNotSent: [
      ...assumeNotSent,
      ...assumedHeaders(assumed, before).counted,
    ],
  };
  return events.impact({ ...replay, sample, withinMs: within });
}
