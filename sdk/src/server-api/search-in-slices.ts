import type { EventPage } from "./each-event";
import type { Event, TimeRange } from "./event";
import { LONGEST_TIMEOUT_MS } from "../http/throttle";

/** How a search is cut into slices. */
export interface SliceOptions {
  readonly range: TimeRange;
  /** Oldest first; otherwise newest first. */
  readonly reverse: boolean;
  /** Most pages on their way at once. */
  readonly concurrency: number;
  /** Milliseconds until one more request can go without holding up the next page that the caller reads; 0: now. */
  readonly spareInMs: () => number;
  readonly signal?: AbortSignal;
}

/** Fetches one page of the events of a stretch of time. */
export type FetchPage = (
  range: TimeRange,
  paginationKey: string | undefined,
  signal: AbortSignal,
) => Promise<EventPage>;

/**
 * The intended number of pages in a slice. The pages of one slice are fetched one
 * after the other; slices are fetched at the same time.
 */
const PAGES_PER_SLICE = 5;

/** How many pages for each allowed request may wait for the caller; while that many wait, nothing is fetched ahead. */
const WAITING_PAGES = 8;

/** Pages that are fetched alone before the first slice: the first one opens the connection, the second one tells how long a page takes. */
const PAGES_ALONE = 2;

/**
 * A part of the search. The position of an event is its time, or the negative of
 * its time where the newest comes first, so positions grow in the order of the
 * search. Each event belongs to one slice, by its position. The query of a slice
 * begins at the border and has no end of its own. So it does not matter whether the
 * service includes `start` and `end`, and a slice that begins in a gap between
 * events is answered with the events behind the gap.
 */
interface Slice {
  /** Its events come after this position, which is the last one of the slice before. */
  readonly after: number;
  /** The last position that belongs to it. It moves closer when the slice is cut. */
  last: number;
  readonly query: TimeRange;
  readonly pages: Event[][];
  /** No further event that belongs to it is before this position. */
  reached: number;
  key?: string;
  state: "idle" | "busy" | "done";
}

/**
 * Walks the events of a search like `eachEvent`, in the same order and each
 * once, while several pages are fetched at the same time. The service decides
 * whether an event exactly at the `start` or `end` of the whole search belongs to it.
 *
 * The walk is never slower than one page after the other. The slice that the caller
 * reads goes first. Another one begins only with a request that the throttle has to
 * spare, and only while several pages at once take less time than one after the other.
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
    search.stop();
  }
}

class Search {
  /** In the order of the search. The caller reads the first slice. */
  readonly #slices: Slice[];
  readonly #pace: Pace;
  #busy = 0;
  #waiting = 0;
  /** The time that the events of the last page cover; 0 where it is unknown. */
  #span = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #changed: () => void = () => undefined;

  constructor(
    private readonly options: SliceOptions,
    private readonly fetch: (
      range: TimeRange,
      key: string | undefined,
    ) => Promise<EventPage>,
  ) {
    const { range, concurrency } = options;
    this.#pace = new Pace(concurrency);
    this.#slices = [
      {
        after: -Infinity,
        last: Infinity,
        query: range,
        pages: [],
        reached: -Infinity,
        state: "idle",
      },
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

  /** Starts nothing more. */
  stop(): void {
    this.#failure ??= { error: undefined };
    clearTimeout(this.#timer);
  }

  /** Starts the requests that may go now: the page that the caller reads next, then pages ahead of it. */
  #fill(): void {
    clearTimeout(this.#timer);
    const [head] = this.#slices;
    if (!head || this.#failure) return;
    const isHungry = head.pages.length === 0;
    const mostWaiting = this.options.concurrency * WAITING_PAGES;
    if (head.state === "idle" && (isHungry || this.#waiting < mostWaiting))
      void this.#fetchNext(head);
    // One request is kept for the head.
    const kept = head.state === "busy" ? 0 : 1;
    while (
      this.#waiting < mostWaiting &&
      this.#busy + kept < this.#pace.atOnce
    ) {
      const ahead =
        this.#slices.find(
          (slice) => slice !== head && slice.state === "idle",
        ) ?? this.#placeForSlice();
      if (!ahead) return;
      const spareInMs = this.options.spareInMs();
      if (spareInMs > LONGEST_TIMEOUT_MS) return;
      if (spareInMs > 0) {
        this.#timer = setTimeout(() => this.#fill(), Math.ceil(spareInMs));
        return;
      }
      void this.#fetchNext("state" in ahead ? ahead : this.#cut(ahead));
    }
  }

  async #fetchNext(slice: Slice): Promise<void> {
    slice.state = "busy";
    const atOnce = ++this.#busy;
    const startedAt = performance.now();
    try {
      const page = await this.fetch(slice.query, slice.key);
      this.#pace.took(performance.now() - startedAt, atOnce);
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
    const [first = Infinity, reached = Infinity] = [
      positions[0],
      positions.at(-1),
    ];
    this.#skip(slice.reached, first);
    if (isLast) this.#skip(reached, Infinity);
    else [slice.reached, this.#span] = [reached, reached - first];
  }

  /** Takes note that no event lies between two positions: nothing is fetched there, and no slice begins there. */
  #skip(from: number, to: number): void {
    for (const slice of this.#slices) {
      if (slice.after < from || slice.reached >= to) continue;
      slice.reached = Math.min(slice.last, to);
      if (slice.last < to && slice.state === "idle") slice.state = "done";
    }
  }

  /** The first slice that is long enough for two, and where to cut it, judged by how dense the events of the last page are. */
  #placeForSlice(): { readonly slice: Slice; readonly at: number } | undefined {
    if (this.#span === 0) return undefined;
    const width = Math.ceil(this.#span * PAGES_PER_SLICE);
    const furthest = this.#furthest();
    for (const slice of this.#slices) {
      const at = Math.ceil(slice.reached) + width;
      if (slice.state !== "done" && at + width < Math.min(slice.last, furthest))
        return { slice, at };
    }
    return undefined;
  }

  /** Ends a slice at a position, and makes a slice of the rest. */
  #cut({ slice, at }: { readonly slice: Slice; readonly at: number }): Slice {
    const { range, reverse } = this.options;
    const rest: Slice = {
      after: at,
      last: slice.last,
      query: reverse ? { ...range, start: at } : { ...range, end: -at },
      pages: [],
      reached: at,
      state: "idle",
    };
    slice.last = at;
    this.#slices.splice(this.#slices.indexOf(slice) + 1, 0, rest);
    return rest;
  }

  /** The last position where a slice may begin. Where the search has no start, the service chooses one, which can only be guessed here. */
  #furthest(): number {
    const { range, reverse } = this.options;
    if (reverse) return range.end ?? Date.now();
    return -(range.start ?? Date.now() - SURELY_SEARCHED_MS);
  }

  #position({ timestamp }: Event): number {
    return this.options.reverse ? timestamp : -timestamp;
  }
}

/**
 * How many pages at once are faster than one after the other. A service that works on
 * one request at a time answers two at once in twice the time: then slices would only
 * add the requests for pages at their borders.
 */
class Pace {
  /** Most pages that are to be on their way at once. */
  atOnce = 1;
  #aloneMs = Infinity;
  #pagesAlone = 0;
  /** After how many pages that were fetched alone two at once are tried. */
  #tryAfter = PAGES_ALONE;

  constructor(private readonly most: number) {}

  /** Notes how long a page took, and how many were on their way when it was sent, itself included. */
  took(ms: number, atOnce: number): void {
    if (atOnce === 1) {
      this.#pagesAlone += 1;
      if (this.#pagesAlone > 1) this.#aloneMs = Math.min(this.#aloneMs, ms);
      if (this.#pagesAlone < this.#tryAfter) return;
      // Each failed attempt costs up to a page, so they become rare.
      this.#tryAfter *= 4;
      this.atOnce = Math.max(2, this.atOnce);
    } else if (ms < (this.#aloneMs * (1 + atOnce)) / 2)
      this.atOnce = Math.min(this.most, Math.max(this.atOnce, atOnce + 1));
    else this.atOnce = atOnce - 1;
  }
}

/** A little less than the 7 days that a search without a start covers, because clocks differ. */
const SURELY_SEARCHED_MS = 7 * 24 * 3_600_000 - 300_000;
