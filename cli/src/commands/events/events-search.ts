import {
  type Client,
  type Event,
  eventsByDay,
  SearchTimeoutError,
  type TimeRange,
} from "@devid/sdk";
import {
  choiceFlag,
  defineCommand,
  flag,
  parsedFlag,
} from "../../flags/define-command";
import { jsonFormatFlag, regionFlag } from "../../flags/shared-flags";
import { configuredClient } from "../../sources/configured-client";
import {
  EVENT_FILTER_FLAGS,
  eventFilters,
  type EventFilters,
} from "../../sources/event-filters";
import { eventTable, noEventsHint } from "../../output/event-text";
import { numberFlag } from "../../flags/flag-values";
import { printJson } from "../../output/write-output";
import { UsageError } from "../../errors";

const PAGE_SIZE = 100;

/** `devid events search`: finds the events that match. */
export const eventsSearch = defineCommand({
  flags: {
    limit: parsedFlag(
      "<number>",
      "maximum number of events to list",
      numberFlag,
    ).or(10),
    reverse: flag("oldest first"),
    format: choiceFlag("<format>", "output format", ["table", "json"]).or(
      "table",
    ),
    region: regionFlag,
    json: jsonFormatFlag,
    ...EVENT_FILTER_FLAGS,
  },
  run: async (flags) => {
    const { limit, reverse, format, region, json } = flags;
    if (!Number.isInteger(limit) || limit < 1)
      throw new UsageError("--limit has to be a whole number of at least 1.");
    const client = configuredClient({ region });
    const filters = { ...(await eventFilters(flags, client)), reverse };
    const found = await inPages(client, filters, limit).catch(
      (error: unknown) => {
        if (!(error instanceof SearchTimeoutError)) throw error;
        process.stderr.write(
          "The search took the service too long; searching day by day.\n",
        );
        return byDay(client, filters, limit);
      },
    );
    const { events, hasMore } = found;
    if (json || format === "json") return printJson({ events, hasMore });
    process.stdout.write(eventTable(events));
    process.stderr.write(summary(events.length, hasMore));
    const isRecent = filters.start === undefined;
    if (events.length === 0) process.stderr.write(noEventsHint({ isRecent }));
  },
});

interface Found {
  readonly events: readonly Event[];
  readonly hasMore: boolean;
}

async function inPages(
  client: Client,
  filters: EventFilters & { readonly reverse?: true | undefined },
  limit: number,
): Promise<Found> {
  const first = await client.events.search({
    ...filters,
    limit: Math.min(limit, PAGE_SIZE),
  });
  const events: Event[] = first.events.slice(0, limit);
  const { paginationKey } = first;
  let hasMore = paginationKey !== undefined;
  if (paginationKey === undefined || events.length === limit)
    return { events, hasMore };
  hasMore = false;
  const rest = { ...filters, limit: PAGE_SIZE, paginationKey };
  for await (const event of client.events.searchAll(rest, {
    prefetch: false,
  })) {
    hasMore = events.length === limit;
    if (hasMore) break;
    events.push(event);
  }
  return { events, hasMore };
}

/** The service looks back 7 days where no start is given. */
const WEEK_MS = 7 * 24 * 3_600_000;

async function byDay(
  client: Client,
  {
    start,
    end = Date.now(),
    reverse,
    ...filters
  }: EventFilters & { readonly reverse?: true | undefined },
  limit: number,
): Promise<Found> {
  const events: Event[] = [];
  const range = { start: start ?? end - WEEK_MS, end };
  const search = (day: Required<TimeRange>) =>
    client.events.searchAll({ ...filters, ...day, reverse });
  const newestFirst = reverse !== true;
  for await (const event of eventsByDay(range, search, { newestFirst })) {
    if (events.length === limit) return { events, hasMore: true };
    events.push(event);
  }
  return { events, hasMore: false };
}

function summary(count: number, hasMore: boolean): string {
  const shown = `${count} event${count === 1 ? "" : "s"}`;
  const rest = hasMore ? "; more match, --limit shows them" : "";
  return `${shown}${rest}.\n`;
}
