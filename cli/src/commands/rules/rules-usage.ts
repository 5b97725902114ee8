import { formatUsageHtml, formatUsageText } from "@devid/review/replay";
import { defineCommand } from "../../flags/define-command";
import {
  assumeNotSentFlag,
  checkWarehouseFlags,
  rangeOf,
  reportFlags,
  showSecretsFlag,
  timeFlags,
  WAREHOUSE_FLAGS,
  workspaceFlags,
} from "../../flags/shared-flags";
import { withoutKeys } from "../../output/without-keys";
import { printReport } from "../../output/print-report";
import { configuredClient } from "../../sources/configured-client";
import { LiveRules } from "../../sources/live-rules";
import { askEvents, eventsOf } from "../../sources/past-events";
import {
  ruleSetInFile,
  type NamedRuleSet,
} from "../../sources/rule-set-source";

const FLAGS = {
  ...timeFlags("events from then on: 24h, 30d, a time"),
  ...WAREHOUSE_FLAGS,
  assumeNotSent: assumeNotSentFlag,
  ...workspaceFlags(
    "environment of live rules and events (default: the default environment)",
  ),
  ...reportFlags("json", "html"),
  showSecrets: showSecretsFlag,
};

/** `devid rules usage`: shows what rules, and terms in them, did on past events. */
export const rulesUsage = defineCommand({
  arguments: [["<file>", "a rule file, or live: the rules in force"]],
  flags: FLAGS,
  run: async (file, flags) => {
    checkWarehouseFlags(flags);
    const set: NamedRuleSet =
      file === "live"
        ? await new LiveRules(configuredClient(flags)).named(flags.environment)
        : ruleSetInFile(file, undefined);
    const headers = [...flags.assumeNotSent, ...(set.assumeNotSent ?? [])];
    const options = {
      ...{ rules: set.rules, assumeNotSent: [...new Set(headers)] },
      ...rangeOf(flags),
    };
    const { words, found } = await askEvents(
      await eventsOf([], flags),
      (events) => events.usage(options),
    );
    const shown = withoutKeys(
      { rulesOf: set.name, environment: words, ...found },
      flags,
    );
    const events = `past events of ${shown.environment}`;
    printReport(flags, {
      json: () => shown,
      text: () => formatUsageText(shown, shown.rulesOf, events),
      html: () => formatUsageHtml(shown, shown.rulesOf, events),
    });
  },
});
