import {
  choiceFlag,
  defineCommand,
  textFlag,
} from "../../flags/define-command";
import { jsonFlag, regionFlag } from "../../flags/shared-flags";
import { configuredClient } from "../../sources/configured-client";
import { parsedJson, UsageError } from "../../errors";
import { readTextFile, withoutMark } from "../../sources/rule-files";

/**
 * `devid events update`: changes an event; if the event is new, it waits until
 * the service can change it.
 */
export const eventsUpdate = defineCommand({
  arguments: [["<id>", "event ID"]],
  flags: {
    linkedId: textFlag("<text> at most 256 characters"),
    tags: textFlag(
      "<json> an object that replaces the former tags; @FILE reads it from a file",
    ),
    suspect: choiceFlag("<true|false> flag the event", ["true", "false"]),
    region: regionFlag,
    json: jsonFlag(),
  },
  run: async (id, { linkedId, tags, suspect, region, json }) => {
    const changes = {
      ...(linkedId !== undefined && { linkedId }),
      ...(tags !== undefined && { tags: readTags(tags) }),
      ...(suspect !== undefined && { suspect: suspect === "true" }),
    };
    const names = Object.keys(changes);
    if (names.length === 0)
      throw new UsageError(
        "Nothing to change: give --linked-id, --tags or --suspect.",
      );
    await configuredClient({ region }).events.update(id, changes);
    process.stdout.write(
      json
        ? `${JSON.stringify({ version: 1, event_id: id, updated: names })}\n`
        : `Updated event ${id}: ${names.join(", ")}.\n`,
    );
  },
});

function readTags(flag: string): Record<string, unknown> {
  const [source, text] = flag.startsWith("@")
    ? [flag.slice(1), withoutMark(readTextFile(flag.slice(1)).text)]
    : ["--tags", flag];
  const value = parsedJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UsageError(`${source} has to be a JSON object.`);
}
