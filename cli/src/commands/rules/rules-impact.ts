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
  defineCommand,
  textFlag,
  type ValuesOf,
} from "../../flags/define-command";
import {
  assumeNotSentFlag,
  checkWarehouseFlags,
  baseFlag,
  rangeOf,
  reportFlags,
  resourceFlag,
  SAMPLE_FLAGS,
  showSecretsFlag,
  timeFlags,
  WAREHOUSE_FLAGS,
  workspaceFlags,
} from "../../flags/shared-flags";
import { askEvents, eventsOf } from "../../sources/past-events";
import { withoutKeys } from "../../output/without-keys";
import { EXIT } from "../../output/report-error";
import { readRuleSets } from "../../sources/review/compared-rules";
import type { NamedRuleSet } from "../../sources/rule-set-source";
import { printReport } from "../../output/print-report";

const FLAGS = {
  base: baseFlag().or("live", "live"),
  ...timeFlags(),
  ...WAREHOUSE_FLAGS,
  ...SAMPLE_FLAGS,
  by: textFlag(
    "<label> also count the changed events by the values of this label: tags.suspect, or a column of a warehouse",
  ),
  assumeNotSent: assumeNotSentFlag,
  ...workspaceFlags(
    "environment of live rules and events (default: the preview's, then the default environment)",
  ),
  resource: resourceFlag,
  ...reportFlags("json", "markdown"),
  showSecrets: showSecretsFlag,
};

/** `devid rules impact`: shows what rules would have done to past events. */
export const rulesImpact = defineCommand({
  arguments: [
    ["<file>", "a rule file, or the output of pulumi preview --json"],
  ],
  flags: FLAGS,
  run: async (after, flags) => {
    checkWarehouseFlags(flags);
    const { before: inForce, after: proposed } = await readRuleSets(
      { before: flags.base, after },
      flags,
    );
    const options = replayed(proposed, inForce, flags);
    const { words, found: impact } = await askEvents(
      await eventsOf([proposed, inForce], flags),
      (events) => events.impact(options),
    );
    const shown = withoutKeys(
      { a: inForce.name, b: proposed.name, environment: words, ...impact },
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
    // It may be proven that both rule sets decide every request the same.
    const impossible = impossibleOutcomes(inForce.rules, proposed.rules);
    const unjudged = impossible.size === 2 ? "" : whyUnjudged(impact);
    process.stderr.write(unjudged);
    if (unjudged || mayChange(impact)) process.exitCode = EXIT.differences;
  },
});

/** Says why past events do not tell what the rules would do; empty if they do. */
function whyUnjudged({ events, rows }: Impact): string {
  if (events === 0)
    return "No past event was replayed, so it is unknown what the rules would do: exit code 2.\n";
  if (unreadableIn(rows) > 0)
    return "Some past events could not be read, so it is unknown what the rules would do to them: exit code 2.\n";
  return "";
}

function replayed(
  { rules: proposed, assumeNotSent: assumed = [] }: NamedRuleSet,
  { rules: inForce, assumeNotSent: before }: NamedRuleSet,
  flags: ValuesOf<typeof FLAGS>,
) {
  const { sample, within, assumeNotSent, by } = flags;
  const { counted } = assumedHeaders(assumed, before);
  return {
    ...{ proposed, inForce, by, sample, withinMs: within },
    ...rangeOf(flags),
    assumeNotSent: [...assumeNotSent, ...counted],
  };
}
