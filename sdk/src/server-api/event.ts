import type * as z from "zod";
import { ServerError } from "../http/errors";
import { SearchTimeoutError } from "./errors";
import type { EventRecord } from "../wire/event";

/**
 * An identification event, in the service's own form: webhooks and sealed
 * results deliver the same. A field that devid does not know is `unknown`.
 */
export type Event = z.output<typeof EventRecord>;

/**
 * The time range of a search, in Unix milliseconds. The service chooses an end that is
 * left out.
 */
export interface TimeRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * The events of a time range, both ends included. It does not matter whether the
 * service includes `start` and `end`: the search covers one millisecond more at both
 * ends, and events outside the range are left out.
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

/** A search of a range shorter than this is not cut in halves. */
const SHORTEST_MS = 60_000;

/**
 * The events of a time range, both ends included, oldest first or newest first. The
 * range is searched day by day, as the service recommends (docs/contract.md, "Limits").
 * After a 504 or a 503, the rest of the day is searched in halves, quarters and so on.
 * Later searches grow to a day again.
 * @param search answers the events of a range, in the same order
 * @throws SearchTimeoutError or ServerError if even a search of one minute is too much
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
   * IDs of events at the end of the range that were already returned when a search
   * failed.
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
      if (!isTooMuch(error) || isShortest) throw error;
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

/** Whether a shorter search may succeed: it took too long, or the service was overloaded. */
const isTooMuch = (error: unknown) =>
  error instanceof SearchTimeoutError ||
  (error instanceof ServerError && error.status === 503);
