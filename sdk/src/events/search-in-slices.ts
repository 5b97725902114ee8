import type { EventPage } from "./each-event";
import type { Event } from "./event";

/** A stretch of time, Unix milliseconds, both ends included; an end that is left open is the service's to choose. */
export interface TimeRange {
  readonly start?: number;
  readonly end?: number;
}

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

/** How long a slice is meant to be. Its pages come one after the other, those of several slices at once. */
const PAGES_PER_SLICE = 5;

/** Pages, for each that may be on its way, that wait for the caller before no more are fetched ahead. */
const WAITING_PAGES = 8;

/** A part of the search. Positions grow in the order of the search: the time, or its negative. */
interface Slice {
  /** The last position that belongs to it; less than that of its query once the rest was given to other slices. */
  last: number;
  readonly query: TimeRange;
  readonly pages: Event[][];
  key?: string;
  state: "idle" | "busy" | "done";
}

/**
 * Walks the events of a search like `eachEvent`, in the same order and each
 * once, with several pages on their way: the time is cut into slices, as long
 * as the density of the events makes `PAGES_PER_SLICE` pages.
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
    this.#slices = [
      options.reverse ? this.#slice(start, end) : this.#slice(-end, -start),
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

  /** Sends for as many pages as may be on their way, those that are read first before others. */
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
    const own = events.filter((event) => this.#position(event) <= slice.last);
    if (own.length > 0) {
      slice.pages.push(own);
      this.#waiting++;
    }
    const isLast = !paginationKey || paginationKey === slice.key;
    slice.key = paginationKey;
    slice.state = isLast || own.length < events.length ? "done" : "idle";
    if (slice.state === "idle") this.#divide(slice, own);
  }

  /** Leaves a slice as much as is meant for one, by the density of its last page, and makes slices of the rest. */
  #divide(slice: Slice, page: readonly Event[]): void {
    const [first, last] = [page[0], page.at(-1)];
    if (!first || !last) return;
    const reached = this.#position(last);
    const span = reached - this.#position(first);
    const width = Math.max(1, Math.ceil(span * PAGES_PER_SLICE));
    const end = Math.min(slice.last, this.#furthest());
    if (reached + 2 * width >= end) return;

    const { last: lastOfAll } = slice;
    slice.last = reached + width;
    const rest: Slice[] = [];
    let from = slice.last + 1;
    for (let n = 1; n < this.options.concurrency; n++) {
      if (from + 2 * width >= end) break;
      rest.push(this.#slice(from, from + width));
      from += width + 1;
    }
    rest.push(this.#slice(from, lastOfAll));
    this.#slices.splice(this.#slices.indexOf(slice) + 1, 0, ...rest);
  }

  /** Where slices may begin: what the service takes as the start that is left open can only be guessed. */
  #furthest(): number {
    const { range, reverse } = this.options;
    if (reverse) return range.end ?? Date.now();
    return -(range.start ?? Date.now() - SURELY_SEARCHED_MS);
  }

  #slice(first: number, last: number): Slice {
    const [start, end] = this.options.reverse ? [first, last] : [-last, -first];
    const query = {
      ...(Number.isFinite(start) && { start }),
      ...(Number.isFinite(end) && { end }),
    };
    return { last, query, pages: [], state: "idle" };
  }

  #position({ timestamp }: Event): number {
    return this.options.reverse ? timestamp : -timestamp;
  }
}

/** A bit less than the 7 days that a search covers, for clocks that differ. */
const SURELY_SEARCHED_MS = 7 * 24 * 3_600_000 - 300_000;
