import {
  formatUsageHtml,
  formatUsageText,
  type Usage,
} from "@devid/review/replay";
import {
  Command,
  reportOptions,
  showSecretsOption,
  workspaceOptions,
  type WorkspaceFlags,
} from "../../flags/shared-options";
import {
  assumeNotSentOption,
  timeOptions,
  warehouseOptions,
} from "../../flags/past-events-options";
import { withoutKeys } from "../../output/without-keys";
import { printReport, type ReportFlags } from "../../output/print-report";
import { configuredClient } from "../../sources/configured-client";
import {
  environmentPlace,
  ruleSetInFileOrLive,
} from "../../sources/live-rules";
import { PastEvents } from "../../sources/past-events";
import type { NamedRuleSet } from "../../sources/rule-set-source";
import {
  checkWarehouseFlags,
  type WarehouseFlags,
} from "../../sources/warehouse-events";

interface Flags
  extends WarehouseFlags, WorkspaceFlags, ReportFlags<"text" | "html"> {
  readonly since: Date;
  readonly until?: Date;
  readonly assumeNotSent: readonly string[];
}

/** A usage with the names of the rule set and of the environment of the events. */
type NamedUsage = Usage & {
  readonly rulesOf: string;
  readonly environment: string;
};

/** `devid rules usage`: shows what rules, and terms in them, did on past events. */
export function rulesUsage(): Command {
  return new Command("usage")
    .argument("<file>", "a rule file, or live: the rules in force")
    .flags(
      timeOptions("events from then on: 24h, 30d, a time"),
      warehouseOptions(),
      assumeNotSentOption(),
      workspaceOptions(
        "environment of live rules and events (default: the default environment)",
      ),
      reportOptions("json", "html"),
      showSecretsOption(),
    )
    .action(async (file: string, flags: Flags) => {
      checkWarehouseFlags(flags);
      const set = await ruleSetInFileOrLive(file, flags);
      const shown = withoutKeys(await usageOf(set, flags), flags);
      const name = `${shown.rulesOf} on past events of ${shown.environment}`;
      printReport(flags, {
        json: () => shown,
        text: () => formatUsageText(shown, name),
        html: () => formatUsageHtml(shown, name),
      });
    });
}

async function usageOf(
  { name, rules, assumeNotSent = [] }: NamedRuleSet,
  flags: Flags,
): Promise<NamedUsage> {
  const { since: start, until: end = new Date() } = flags;
  const client = configuredClient(flags);
  const options = {
    ...{ rules, start, end },
    assumeNotSent: [...new Set([...flags.assumeNotSent, ...assumeNotSent])],
  };
  const { environment } = flags;
  const place = await environmentPlace(client, environment);
  const isNamed = environment !== undefined;
  const events = new PastEvents(client, flags, place, isNamed);
  const { words, found } = await events.usage(options);
  return { rulesOf: name, environment: words, ...found };
}
