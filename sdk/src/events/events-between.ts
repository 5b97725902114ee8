import type { Event } from "./event";
import type { TimeRange } from "./search-in-slices";

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
