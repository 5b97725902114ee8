import type { z } from "zod";
import { SearchTimeoutError } from "./errors";
import type { EventRecord } from "../wire/event";

/**
 * An identification event, in the service's own form: webhooks and sealed
 * results deliver the same. A field that devid does not know is `unknown`.
 */
export type Event = z.output<typeof EventRecord>;

/** A stretch of time, Unix milliseconds, as a search is asked for it; an end that is left open is the service's to choose. */
export interface TimeRange {
  readonly start?: number;
  readonly end?: number;
}

/**
 * The events of a stretch of time, both ends included, whether or not the
 * service includes `start` and `end`: it is asked for a millisecond more at
 * either side, and what comes of that is left out.
 */
export async function* eventsBetween(
  { start, end }: Required<TimeRange>,
  search: (range: Required<TimeRange>) => AsyncIterable<Event>,
): AsyncGenerator<Event, void, undefined> {
  const around = { start: Math.max(0, start - 1), end: end + 1 };
  for await (const event of search(around))
    if (event.timestamp >= start && event.timestamp <= end) yield event;
}

const DAY_MS = 24 * 3_600_000;

/** A search of a shorter time that runs into the service's time limit is not cut further. */
const SHORTEST_MS = 60_000;

/**
 * The events of a stretch of time, both ends included, oldest first, searched day by
 * day, as the service asks for (docs/contract.md, "Limits"). Where it answers 504, the
 * rest of the day is searched in halves, quarters and so on; after that, the searches
 * grow to a day again.
 * @param search answers the events of a range, oldest first
 * @throws SearchTimeoutError where even a minute takes too long
 */
export async function* eventsByDay(
  { start, end }: Required<TimeRange>,
  search: (range: Required<TimeRange>) => AsyncIterable<Event>,
): AsyncGenerator<Event, void, undefined> {
  let from = start;
  let widthMs = DAY_MS;
  /** The events at `from` that were answered before a search was given up. */
  let answered = new Set<string>();
  while (from <= end) {
    const to = Math.min(end, from + widthMs - 1);
    try {
      for await (const event of eventsBetween(
        { start: from, end: to },
        search,
      )) {
        const { timestamp, event_id: id } = event;
        if (timestamp > from) {
          from = timestamp;
          answered = new Set();
        } else if (answered.has(id)) continue;
        answered.add(id);
        yield event;
      }
    } catch (error) {
      const isShortest = widthMs <= SHORTEST_MS;
      if (!(error instanceof SearchTimeoutError) || isShortest) throw error;
      widthMs = Math.max(SHORTEST_MS, Math.ceil((to - from + 1) / 2));
      continue;
    }
    from = to + 1;
    answered = new Set();
    widthMs = Math.min(DAY_MS, widthMs * 2);
  }
}

/** The web origin of an event: the one that it names, else that of its web address. */
export function originOf({
  origin,
  url,
}: Pick<Event, "origin" | "url">): string | undefined {
  if (typeof origin === "string") return origin;
  if (!url || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}
