import type { EventPage } from "./each-event";
import type { Event, TimeRange } from "./event";

/** How a search is cut into slices. */
export interface SliceOptions {
  readonly range: TimeRange;
  /** Oldest first; otherwise newest first. */
  readonly reverse: boolean;
  /** Most pages on their way at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal;
}

/** Fetches one page of the events of a stretch of time. */
export type FetchPage = (
  range: TimeRange,
  paginationKey: string | undefined,
  signal: AbortSignal,
) => Promise<EventPage>;

/** How many pages a slice is meant to have. The pages of one slice are fetched one after the other, those of different slices at the same time. */
const PAGES_PER_SLICE = 5;

/** How many pages for each allowed request may wait for the caller; while that many wait, nothing is fetched ahead. */
const WAITING_PAGES = 8;

/**
 * A part of the search. The position of an event is its time, or the negative of
 * its time where the newest comes first, so positions grow in the order of the
 * search. Each event belongs to one slice, by its position. At a border between
 * two slices, the query of each reaches beyond the border; so it does not matter
 * whether the service includes `start` and `end`.
 */
interface Slice {
  /** Its events come after this position, which is the last one of the slice before. */
  readonly after: number;
  /** The last position that belongs to it. It is before the end of the query once `#divide` has given the rest to other slices. */
  last: number;
  /** Where its query ends. */
  readonly to: number;
  readonly query: TimeRange;
  readonly pages: Event[][];
  key?: string;
  state: "idle" | "busy" | "done";
}

/**
 * Walks the events of a search like `eachEvent`, in the same order and each
 * once, while several pages are fetched at the same time. It cuts the time into
 * slices of about `PAGES_PER_SLICE` pages. The service decides whether an event
 * exactly at the `start` or `end` of the whole search belongs to it.
 */
export async function* searchInSlices(
  fetchPage: FetchPage,
  options: SliceOptions,
): AsyncGenerator<Event, void, undefined> {
  const stopped = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, stopped.signal])
    : stopped.signal;
  const search = new Search(options, (range, key) =>
    fetchPage(range, key, signal),
  );
  try {
    for (;;) {
      const page = await search.nextPage();
      if (!page) return;
      for (const event of page) {
        options.signal?.throwIfAborted();
        yield event;
      }
    }
  } finally {
    stopped.abort();
  }
}

class Search {
  /** In the order of the search; the first is the one that the caller reads. */
  readonly #slices: Slice[];
  #busy = 0;
  #waiting = 0;
  #failure: { readonly error: unknown } | undefined;
  #changed: () => void = () => undefined;

  constructor(
    private readonly options: SliceOptions,
    private readonly fetch: (
      range: TimeRange,
      key: string | undefined,
    ) => Promise<EventPage>,
  ) {
    const { start = -Infinity, end = Infinity } = options.range;
    const [from, to] = options.reverse ? [start, end] : [-end, -start];
    this.#slices = [
      this.#slice({ after: -Infinity, last: Infinity, from, to }),
    ];
  }

  /** The next page in the order of the search; undefined behind the last. */
  async nextPage(): Promise<Event[] | undefined> {
    for (;;) {
      if (this.#failure) throw this.#failure.error;
      this.#fill();
      const [head] = this.#slices;
      const page = head?.pages.shift();
      if (page) {
        this.#waiting--;
        this.#fill();
        return page;
      }
      if (!head) return undefined;
      if (head.state === "done") this.#slices.shift();
      else await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  /** Starts as many requests as are allowed at once, first for the pages that the caller reads first. */
  #fill(): void {
    const { concurrency } = this.options;
    for (const slice of this.#slices) {
      if (this.#busy >= concurrency || this.#failure) return;
      const isAhead = slice !== this.#slices[0];
      if (isAhead && this.#waiting >= concurrency * WAITING_PAGES) return;
      if (slice.state === "idle") void this.#fetchNext(slice);
    }
  }

  async #fetchNext(slice: Slice): Promise<void> {
    slice.state = "busy";
    this.#busy++;
    try {
      const page = await this.fetch(slice.query, slice.key);
      this.#take(slice, page);
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#busy--;
    this.#fill();
    this.#changed();
  }

  #take(slice: Slice, { events, paginationKey }: EventPage): void {
    const positions = events.map((event) => this.#position(event));
    const own = events.filter((_, n) => {
      const position = positions[n] ?? NaN;
      return position > slice.after && position <= slice.last;
    });
    if (own.length > 0) {
      slice.pages.push(own);
      this.#waiting++;
    }
    const isLast = !paginationKey || paginationKey === slice.key;
    slice.key = paginationKey;
    const isBehind = positions.some((position) => position > slice.last);
    slice.state = isLast || isBehind ? "done" : "idle";
    if (slice.state === "idle") this.#divide(slice, own);
  }

  /** Shortens a slice to the length that one should have, judged by how dense the events of its last page are, and makes slices of the rest. */
  #divide(slice: Slice, page: readonly Event[]): void {
    const [first, last] = [page[0], page.at(-1)];
    if (!first || !last) return;
    const reached = this.#position(last);
    const span = reached - this.#position(first);
    const width = Math.max(1, Math.ceil(span * PAGES_PER_SLICE));
    const end = Math.min(slice.last, this.#furthest());
    if (reached + 2 * width >= end) return;

    const { last: lastOfAll, to } = slice;
    slice.last = Math.ceil(reached) + width;
    const rest: Slice[] = [];
    let after = slice.last;
    for (let n = 1; n < this.options.concurrency; n++) {
      const last = after + width;
      if (last + width >= end) break;
      rest.push(this.#slice({ after, last, from: after, to: last + 1 }));
      after = last;
    }
    rest.push(this.#slice({ after, last: lastOfAll, from: after, to }));
    this.#slices.splice(this.#slices.indexOf(slice) + 1, 0, ...rest);
  }

  /** The last position where a slice may begin. Where the search has no start, the service chooses one, which can only be guessed here. */
  #furthest(): number {
    const { range, reverse } = this.options;
    if (reverse) return range.end ?? Date.now();
    return -(range.start ?? Date.now() - SURELY_SEARCHED_MS);
  }

  #slice({
    from,
    ...part
  }: Pick<Slice, "after" | "last" | "to"> & { readonly from: number }): Slice {
    const { to } = part;
    const [start, end] = this.options.reverse ? [from, to] : [-to, -from];
    const query = {
      ...(Number.isFinite(start) && { start }),
      ...(Number.isFinite(end) && { end }),
    };
    return { ...part, query, pages: [], state: "idle" };
  }

  #position({ timestamp }: Event): number {
    return this.options.reverse ? timestamp : -timestamp;
  }
}

/** A little less than the 7 days that a search without a start covers, because clocks differ. */
const SURELY_SEARCHED_MS = 7 * 24 * 3_600_000 - 300_000;
