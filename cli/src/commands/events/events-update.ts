import { Command, Option } from "commander";
import { jsonOption, regionOption } from "../../flags/shared-options";
import { configuredClient } from "../../sources/configured-client";
import { UsageError } from "../../errors";
import { readTextFile } from "../../sources/rule-files";

interface Flags {
  readonly linkedId?: string;
  readonly tags?: string;
  readonly suspect?: "true" | "false";
  readonly region?: string;
  readonly json?: boolean;
}

/**
 * `devid events update`: changes an event; if the event is new, it waits until
 * the service can change it.
 */
export function eventsUpdate(): Command {
  return new Command("update")
    .argument("<id>", "event ID")
    .option("--linked-id <text>", "at most 256 characters")
    .option(
      "--tags <json>",
      "an object that replaces the former tags; @FILE reads it from a file",
    )
    .addOption(
      new Option("--suspect <true|false>", "flag the event").choices([
        "true",
        "false",
      ]),
    )
    .addOption(regionOption())
    .addOption(jsonOption())
    .action(async (id: string, flags: Flags) => {
      const { linkedId, suspect, region, json } = flags;
      const tags = flags.tags === undefined ? undefined : readTags(flags.tags);
      const changes = {
        ...(linkedId !== undefined && { linkedId }),
        ...(tags !== undefined && { tags }),
        ...(suspect !== undefined && { suspect: suspect === "true" }),
      };
      if (Object.keys(changes).length === 0)
        throw new UsageError(
          "Nothing to change: give --linked-id, --tags or --suspect.",
        );
      const client = configuredClient({ region });
      await client.events.update(id, changes);
      process.stdout.write(
        json
          ? `${JSON.stringify({ version: 1, event_id: id, updated: Object.keys(changes) })}\n`
          : `Updated event ${id}: ${Object.keys(changes).join(", ")}.\n`,
      );
    });
}

function readTags(flag: string): Record<string, unknown> {
  const [source, text] = flag.startsWith("@")
    ? [flag.slice(1), readTextFile(flag.slice(1)).text]
    : ["--tags", flag];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UsageError(`${source} has to be a JSON object.`);
}
