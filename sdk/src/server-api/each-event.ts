import { PageKeys } from "../http/page-keys";
import type { CallOptions } from "../http/request";
import type { Event } from "./event";

/** One page of a search. */
export interface EventPage {
  /** Newest first; with `reverse`, oldest first. */
  readonly events: readonly Event[];
  /** Where the next page starts; absent on the last page. */
  readonly paginationKey?: string;
  /** How many events match, counted up to the requested `totalHits`. */
  readonly totalHits?: number;
}

/**
 * Walks the events of a search, page by page. With `prefetch`, the next page is fetched
 * while the caller works on the current page. That request is aborted when the caller
 * stops early. The search ends when an answer has no pagination key.
 * @throws UnexpectedAnswerError at the first key that the search had before
 */
export async function* eachEvent(
  page: (
    paginationKey: string | undefined,
    signal: AbortSignal,
  ) => Promise<EventPage>,
  options: CallOptions & {
    readonly paginationKey?: string;
    readonly prefetch: boolean;
  },
): AsyncGenerator<Event, void, undefined> {
  const stopped = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, stopped.signal])
    : stopped.signal;
  const fetchPage = (key: string | undefined) => {
    const fetched = page(key, signal);
    // If the caller stops early, nobody awaits this page, and its failure must not end
    // the process.
    fetched.catch(() => undefined);
    return fetched;
  };
  try {
    const keys = new PageKeys("Searching events", options.paginationKey);
    let next = fetchPage(options.paginationKey);
    for (;;) {
      const { events, paginationKey }: EventPage = await next;
      const key = keys.next(paginationKey);
      const more = key !== undefined;
      if (more && options.prefetch) next = fetchPage(key);
      for (const event of events) {
        options.signal?.throwIfAborted();
        yield event;
      }
      if (!more) return;
      if (!options.prefetch) next = fetchPage(key);
    }
  } finally {
    stopped.abort();
  }
}
