import { defineCommand, textFlag } from "../../flags/define-command";
import { jsonFlag, regionFlag } from "../../flags/shared-flags";
import { configuredClient } from "../../sources/configured-client";
import { eventText } from "../../output/event-text";
import { printServiceObject } from "../../output/write-output";

/** `devid events get`: shows one event. */
export const eventsGet = defineCommand({
  arguments: [["<id>", "event ID, or the request ID of version 3"]],
  flags: {
    ruleset: textFlag("<id> ruleset of the dashboard that judges the event"),
    region: regionFlag,
    json: jsonFlag(),
  },
  run: async (id, { ruleset, region, json }) => {
    const client = configuredClient({ region });
    const event = await client.events.get(id, { rulesetId: ruleset });
    if (json) printServiceObject(event);
    else process.stdout.write(eventText(event));
  },
});
