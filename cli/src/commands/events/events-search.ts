import type { Event } from "@devid/sdk";
import { Command, Option } from "commander";
import { jsonOption, regionOption } from "../../flags/shared-options";
import { configuredClient } from "../../sources/configured-client";
import {
  addEventFilters,
  eventFilters,
  type EventFilterFlags,
} from "../../flags/event-filters";
import { eventTable, noEventsHint } from "../../output/event-text";
import { numberFlag } from "../../flags/flag-values";
import { printJson } from "../../output/write-output";
import { UsageError } from "../../errors";

interface Flags extends EventFilterFlags {
  readonly limit: number;
  readonly reverse?: true;
  readonly totalHits?: number;
  readonly region?: string;
  readonly json?: boolean;
}

const PAGE_SIZE = 100;

/** `devid events search`: finds the events that match. */
export function eventsSearch(): Command {
  const command = new Command("search")
    .description("list events that match, of the last 7 days unless said")
    .addOption(
      new Option("--limit <number>", "most events to list")
        .argParser(numberFlag)
        .default(10),
    )
    .option("--reverse", "oldest first")
    .addOption(
      new Option(
        "--total-hits <number>",
        "count the matches, up to this number",
      ).argParser(numberFlag),
    )
    .addOption(regionOption())
    .addOption(jsonOption());
  return addEventFilters(command).action(async (flags: Flags) => {
    const { limit, reverse, totalHits, region, json } = flags;
    if (!Number.isInteger(limit) || limit < 1)
      throw new UsageError("--limit has to be a whole number of at least 1.");
    const client = await configuredClient({ region });
    const filters = { ...(await eventFilters(flags, client)), reverse };
    // The first page holds the total count, even if the events fill several
    // pages.
    const first = await client.events.search({
      ...filters,
      totalHits,
      limit: Math.min(limit, PAGE_SIZE),
    });
    const events: Event[] = [...first.events];
    let { paginationKey } = first;
    let isCut = false;
    while (paginationKey !== undefined && events.length < limit) {
      const page = await client.events.search({
        ...filters,
        limit: Math.min(limit, PAGE_SIZE),
        totalHits,
        paginationKey,
      });
      const wanted = limit - events.length;
      isCut = page.events.length > wanted;
      events.push(...page.events.slice(0, wanted));
      ({ paginationKey } = page);
    }
    if (json) return printJson({ events });
    process.stdout.write(eventTable(events));
    process.stderr.write(
      summary(
        events.length,
        first.totalHits,
        isCut || paginationKey !== undefined,
      ),
    );
    const isRecent = filters.start === undefined;
    if (events.length === 0) process.stderr.write(noEventsHint({ isRecent }));
  });
}

function summary(
  count: number,
  totalHits: number | undefined,
  hasMore: boolean,
): string {
  const shown = `${count} event${count === 1 ? "" : "s"}`;
  const rest = hasMore ? "; more match, --limit shows them" : "";
  const hits = totalHits === undefined ? "" : ` of ${totalHits} counted`;
  return `${shown}${hits}${rest}.\n`;
}
