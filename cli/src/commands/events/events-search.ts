import {
  type Client,
  type Event,
  eventsByDay,
  SearchTimeoutError,
  type TimeRange,
} from "@devid/sdk";
import { defineCommand, flag, parsedFlag } from "../../flags/define-command";
import { jsonFlag, regionFlag } from "../../flags/shared-flags";
import { configuredClient } from "../../sources/configured-client";
import {
  EVENT_FILTER_FLAGS,
  eventFilters,
  type EventFilters,
} from "../../sources/event-filters";
import { eventTable, noEventsHint } from "../../output/event-text";
import { wholeNumberFlag } from "../../flags/flag-values";
import { printJson } from "../../output/write-output";

const PAGE_SIZE = 100;

/** `devid events search`: finds the events that match. */
export const eventsSearch = defineCommand({
  flags: {
    limit: parsedFlag(
      "<number> maximum number of events to list",
      wholeNumberFlag(1),
    ).or(10),
    reverse: flag("oldest first"),
    region: regionFlag,
    json: jsonFlag(),
    ...EVENT_FILTER_FLAGS,
  },
  run: async (flags) => {
    const { limit, reverse, region, json } = flags;
    const client = configuredClient({ region });
    const filters: Search = { ...(await eventFilters(flags, client)), reverse };
    const page = { ...filters, limit: Math.min(limit + 1, PAGE_SIZE) };
    const found = await firstOf(
      client.events.searchAll(page, { prefetch: false }),
      limit,
    ).catch((error: unknown) => {
      if (!(error instanceof SearchTimeoutError)) throw error;
      process.stderr.write(
        "The search took the service too long; searching day by day.\n",
      );
      return firstOf(byDay(client, filters), limit);
    });
    const { events, hasMore } = found;
    if (json) return printJson({ events, hasMore });
    process.stdout.write(eventTable(events));
    process.stderr.write(summary(events.length, hasMore));
    const isRecent = filters.start === undefined;
    if (events.length === 0) process.stderr.write(noEventsHint({ isRecent }));
  },
});

/** A search, oldest events first where that is asked. */
type Search = EventFilters & { readonly reverse?: true | undefined };

interface Found {
  readonly events: readonly Event[];
  readonly hasMore: boolean;
}

/** The first events of a search, and whether there are more. */
async function firstOf(
  found: AsyncIterable<Event>,
  limit: number,
): Promise<Found> {
  const events: Event[] = [];
  for await (const event of found) {
    if (events.length === limit) return { events, hasMore: true };
    events.push(event);
  }
  return { events, hasMore: false };
}

/** The service looks back 7 days where no start is given. */
const WEEK_MS = 7 * 24 * 3_600_000;

function byDay(
  client: Client,
  { start, end = Date.now(), reverse, ...filters }: Search,
): AsyncIterable<Event> {
  const range = { start: start ?? end - WEEK_MS, end };
  const search = (day: Required<TimeRange>) =>
    client.events.searchAll({ ...filters, ...day, reverse });
  return eventsByDay(range, search, { newestFirst: reverse !== true });
}

function summary(count: number, hasMore: boolean): string {
  const shown = `${count} event${count === 1 ? "" : "s"}`;
  const rest = hasMore ? "; more match, --limit shows them" : "";
  return `${shown}${rest}.\n`;
}
