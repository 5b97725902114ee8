import type { EventPage } from "./each-event";
import type { Event, TimeRange } from "./event";
import { PageKeys } from "../http/page-keys";
import { LONGEST_TIMEOUT_MS } from "../http/throttle";

/** How a search is cut into slices. */
export interface SliceOptions {
  readonly range: TimeRange;
  /** Oldest first; otherwise newest first. */
  readonly reverse: boolean;
  /** Most pages that are fetched at the same time. */
  readonly concurrency: number;
  /**
   * Milliseconds until one more request can be sent without delaying the caller's next
   * page; 0: now.
   */
  readonly spareInMs: () => number;
  readonly signal?: AbortSignal;
}

/** Fetches one page of the events of a time range. */
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

/**
 * Most fetched pages that wait for the caller, for each concurrent request. With that
 * many pages waiting, nothing is fetched ahead.
 */
const WAITING_PAGES = 8;

/**
 * Pages that are fetched alone before the first slice. The first page opens the
 * connection. The second page shows how long a page takes.
 */
const PAGES_ALONE = 2;

/**
 * A part of the search. The position of an event is its time, or the negative of its
 * time if the newest comes first, so positions grow in the order of the search. Each
 * event belongs to one slice, by its position. The query of a slice begins at the
 * slice's border and has no end of its own. So it does not matter whether the service
 * includes `start` and `end`. If a slice begins in a gap between events, its query
 * returns the events behind the gap.
 */
interface Slice {
  /**
   * The slice's events come after this position, which is the last position of the
   * slice before.
   */
  readonly after: number;
  /** The last position of the slice. It becomes smaller when the slice is cut. */
  last: number;
  readonly query: TimeRange;
  readonly pages: Event[][];
  /** Every event of the slice before this position was fetched. */
  reached: number;
  readonly keys: PageKeys;
  key?: string | undefined;
  state: "idle" | "busy" | "done";
}

/**
 * Walks the events of a search like `eachEvent`, in the same order and each event once,
 * but fetches several pages at the same time. The service decides whether an event
 * exactly at the `start` or `end` of the whole search belongs to it.
 *
 * The walk is never slower than one page after the other. The slice that the caller
 * reads goes first. Another slice begins only if the throttle has a request to spare,
 * and only while several pages at once take less time than one after the other.
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
  /** The slices in the order of the search. The caller reads the first slice. */
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
        keys: new PageKeys("Searching events"),
        reached: -Infinity,
        state: "idle",
      },
    ];
  }

  /** The next page in the order of the search; undefined after the last page. */
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

  /** Stops the search: no further request is sent. */
  stop(): void {
    this.#failure ??= { error: undefined };
    clearTimeout(this.#timer);
  }

  /**
   * Starts all requests that may be sent now: first for the caller's next page, then
   * for later pages.
   */
  #fill(): void {
    clearTimeout(this.#timer);
    const [head] = this.#slices;
    if (!head || this.#failure) return;
    const isHungry = head.pages.length === 0;
    const mostWaiting = this.options.concurrency * WAITING_PAGES;
    if (head.state === "idle" && (isHungry || this.#waiting < mostWaiting))
      void this.#fetchNext(head);
    // One request is kept free for the caller's slice.
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
    const isLast = paginationKey === undefined;
    slice.key = slice.keys.next(paginationKey);
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

  /**
   * Notes that no event lies between two positions. Nothing is fetched there, and no
   * slice begins there.
   */
  #skip(from: number, to: number): void {
    for (const slice of this.#slices) {
      if (slice.after < from || slice.reached >= to) continue;
      slice.reached = Math.min(slice.last, to);
      if (slice.last < to && slice.state === "idle") slice.state = "done";
    }
  }

  /**
   * The first slice that is long enough to be cut in two, and the position of the cut.
   * The density of events on the last page decides both.
   */
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

  /** Ends a slice at a position and makes a new slice of the rest. */
  #cut({ slice, at }: { readonly slice: Slice; readonly at: number }): Slice {
    const { range, reverse } = this.options;
    const rest: Slice = {
      after: at,
      last: slice.last,
      query: reverse ? { ...range, start: at } : { ...range, end: -at },
      pages: [],
      keys: new PageKeys("Searching events"),
      reached: at,
      state: "idle",
    };
    slice.last = at;
    this.#slices.splice(this.#slices.indexOf(slice) + 1, 0, rest);
    return rest;
  }

  /**
   * The last position where a slice may begin. If a search has no `start`, the service
   * chooses one, and this is a guess.
   */
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
 * Measures how many concurrent pages are faster than one page after the other. A
 * service that handles one request at a time takes twice as long for two pages at once.
 * For such a service, slices would only add requests at their borders.
 */
class Pace {
  /** Most pages to fetch at the same time. */
  atOnce = 1;
  #aloneMs = Infinity;
  #pagesAlone = 0;
  /** Number of pages to fetch alone before two pages at once are tried. */
  #tryAfter = PAGES_ALONE;

  constructor(private readonly most: number) {}

  /**
   * Notes how long a page took, and how many requests were open when its request was
   * sent, itself included.
   */
  took(ms: number, atOnce: number): void {
    if (atOnce === 1) {
      this.#pagesAlone += 1;
      if (this.#pagesAlone > 1) this.#aloneMs = Math.min(this.#aloneMs, ms);
      if (this.#pagesAlone < this.#tryAfter) return;
      // A failed attempt costs up to the time of a page, so attempts become rare.
      this.#tryAfter *= 4;
      this.atOnce = Math.max(2, this.atOnce);
    } else if (ms < (this.#aloneMs * (1 + atOnce)) / 2)
      this.atOnce = Math.min(this.most, Math.max(this.atOnce, atOnce + 1));
    else this.atOnce = atOnce - 1;
  }
}

/** A little less than the 7 days that a search without a start covers, because clocks differ. */
const SURELY_SEARCHED_MS = 7 * 24 * 3_600_000 - 300_000;
