import { Command } from "commander";
import { jsonOption, regionOption } from "../../flags/shared-options";
import { configuredClient } from "../../sources/configured-client";
import { eventText } from "../../output/event-text";
import { printServiceObject } from "../../output/write-output";

interface Flags {
  readonly ruleset?: string;
  readonly region?: string;
  readonly json?: boolean;
}

/** `devid events get`: shows one event. */
export function eventsGet(): Command {
  return new Command("get")
    .argument("<id>", "event ID, or the request ID of version 3")
    .option("--ruleset <id>", "ruleset of the dashboard that judges the event")
    .addOption(regionOption())
    .addOption(jsonOption())
    .action(async (id: string, { ruleset, region, json }: Flags) => {
      const client = configuredClient({ region });
      const event = await client.events.get(id, { rulesetId: ruleset });
      if (json) printServiceObject(event);
      else process.stdout.write(eventText(event));
    });
}
