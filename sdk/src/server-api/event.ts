import type { z } from "zod";
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

/** The web origin of an event: the one that it names, else that of its web address. */
export function originOf({
  origin,
  url,
}: Pick<Event, "origin" | "url">): string | undefined {
  if (typeof origin === "string") return origin;
  if (!url || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}
