import type * as z from "zod";
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
 * The events of a stretch of time, both ends included, searched day by day, as the
 * service asks for (docs/contract.md, "Limits"): oldest first, or newest first. Where it
 * answers 504, the rest of the day is searched in halves, quarters and so on; after
 * that, the searches grow to a day again.
 * @param search answers the events of a range, in the same order
 * @throws SearchTimeoutError where even a minute takes too long
 */
export async function* eventsByDay(
  range: Required<TimeRange>,
  search: (range: Required<TimeRange>) => AsyncIterable<Event>,
  { newestFirst = false }: { readonly newestFirst?: boolean } = {},
): AsyncGenerator<Event, void, undefined> {
  /** What is left to search. */
  let { start, end } = range;
  let widthMs = DAY_MS;
  /**
   * The events at the end of the search range that were answered before the search was
   * given up.
   */
  let answered = new Set<string>();
  while (start <= end) {
    const day = newestFirst
      ? { start: Math.max(start, end - widthMs + 1), end }
      : { start, end: Math.min(end, start + widthMs - 1) };
    try {
      for await (const event of eventsBetween(day, search)) {
        const { timestamp, event_id: id } = event;
        if (newestFirst ? timestamp < end : timestamp > start) {
          if (newestFirst) end = timestamp;
          else start = timestamp;
          answered = new Set();
        } else if (answered.has(id)) continue;
        answered.add(id);
        yield event;
      }
    } catch (error) {
      const isShortest = widthMs <= SHORTEST_MS;
      if (!(error instanceof SearchTimeoutError) || isShortest) throw error;
      const leftMs = newestFirst ? end - day.start : day.end - start;
      widthMs = Math.max(SHORTEST_MS, Math.ceil((leftMs + 1) / 2));
      continue;
    }
    if (newestFirst) end = day.start - 1;
    else start = day.end + 1;
    answered = new Set();
    widthMs = Math.min(DAY_MS, widthMs * 2);
  }
}

/** The web origin of an event: its `origin`, or without one the origin of its `url`. */
export function originOf({
  origin,
  url,
}: Pick<Event, "origin" | "url">): string | undefined {
  if (typeof origin === "string") return origin;
  if (!url || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}
