import type { Event } from "@devid/sdk";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Throttle } from "../../../sdk/src/http/throttle";
import { eachEvent } from "../../../sdk/src/server-api/each-event";
import type { TimeRange } from "../../../sdk/src/server-api/event";
import {
  searchInSlices,
  type FetchPage,
} from "../../../sdk/src/server-api/search-in-slices";

type Stored = Event;

/**
 * A service with these events, which returns pages like the contract says and counts
 * its calls.
 */
class Pages {
  calls = 0;
  busy = 0;
  mostBusy = 0;
  pagesAhead = 0;
  readonly #sorted: readonly Stored[];

  constructor(
    events: readonly Stored[],
    private readonly reverse: boolean,
    private readonly limit: number,
    /** Which ends of a time range the service includes. */
    private readonly includes = { start: true, end: true },
  ) {
    const sorted = [...events].sort((a, b) => a.timestamp - b.timestamp);
    this.#sorted = reverse ? sorted : sorted.reverse();
  }

  within({ start = -Infinity, end = Infinity }: TimeRange): Stored[] {
    return this.#sorted.filter(
      ({ timestamp }) =>
        (timestamp > start || (this.includes.start && timestamp === start)) &&
        (timestamp < end || (this.includes.end && timestamp === end)),
    );
  }

  readonly fetch: FetchPage = async (range, key, signal) => {
    this.calls++;
    this.busy++;
    this.mostBusy = Math.max(this.mostBusy, this.busy);
    // Answers arrive in another order than the requests.
    const ms = 5 + ((this.calls * 7) % 5);
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.busy--;
    signal.throwIfAborted();
    return this.answer(range, key);
  };

  answer(range: TimeRange, key: string | undefined) {
    // A key is valid only for its query, like in the service.
    const [of, from] = (key ?? `${JSON.stringify(range)}|0`).split("|");
    if (of !== JSON.stringify(range)) throw new Error("another query's key");
    const all = this.within(range);
    const end = Number(from) + this.limit;
    return {
      events: all.slice(Number(from), end),
      paginationKey: end < all.length ? `${of}|${end}` : undefined,
    };
  }

  walk(range: TimeRange, concurrency: number) {
    const { reverse } = this;
    const spareInMs = () => 0;
    return searchInSlices(this.fetch, {
      ...{ range, reverse, concurrency, spareInMs },
    });
  }
}

const stored = (times: readonly number[]): Stored[] =>
  times.map((timestamp, n) => ({ event_id: `e${n}`, timestamp }));

async function collect(walk: AsyncIterable<{ event_id: string }>) {
  const ids: string[] = [];
  for await (const { event_id } of walk) ids.push(event_id);
  return ids;
}

/** Runs the fake timers until the work is done. */
async function finished<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => (isDone = true));
  settled.catch(() => undefined);
  while (!isDone) await vi.advanceTimersToNextTimerAsync();
  return settled;
}

/** Every ID of a read, while fake timers run. */
const everyOne = (walk: AsyncIterable<{ event_id: string }>) =>
  finished(collect(walk));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a search in slices", () => {
  it("returns the same events in the same order as page after page, for any density and with inclusive or exclusive ends", async () => {
    // Groups of events at a few times, and gaps between them.
    const times = fc
      .array(
        fc.record({
          at: fc.integer({ min: 0, max: 1_000_000 }),
          spread: fc.constantFrom(0, 1, 50, 100_000),
          count: fc.integer({ min: 1, max: 60 }),
        }),
        { maxLength: 12 },
      )
      .map((crowds) =>
        crowds.flatMap(({ at, spread, count }) =>
          Array.from({ length: count }, (_, n) =>
            Math.floor(at + (spread * n) / count),
          ),
        ),
      );
    const end = fc.option(fc.integer({ min: 0, max: 1_200_000 }), {
      nil: undefined,
    });
    await fc.assert(
      fc.asyncProperty(
        times,
        end,
        fc.boolean(),
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 20 }),
        fc.record({ start: fc.boolean(), end: fc.boolean() }),
        async (times, end, reverse, concurrency, limit, includes) => {
          const pages = new Pages(stored(times), reverse, limit, includes);
          const range = { start: 0, ...(end !== undefined && { end }) };
          const found = await everyOne(pages.walk(range, concurrency));
          expect(found).toEqual(pages.within(range).map((e) => e.event_id));
          expect(pages.mostBusy).toBeLessThanOrEqual(concurrency);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps several pages in flight, and requests hardly more pages", async () => {
    const times = Array.from({ length: 20_000 }, (_, n) => n * 37);
    const pages = new Pages(stored(times), false, 100);
    const range = { start: 0, end: 37 * 20_000 };
    expect(await everyOne(pages.walk(range, 8))).toHaveLength(20_000);
    expect(pages.mostBusy).toBe(8);
    expect(pages.calls).toBeLessThan(270);
  });

  it("fetches a limited number of pages for a slow caller", async () => {
    const times = Array.from({ length: 50_000 }, (_, n) => n);
    const pages = new Pages(stored(times), true, 100);
    const walk = pages.walk({ start: 0, end: 50_000 }, 4);
    await finished(walk.next());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.calls).toBeLessThan(4 * 8 + 10);
    await walk.return();
  });

  it("ends with the error of the first failed page", async () => {
    const pages = new Pages(stored([1, 2, 3, 4, 5, 6]), true, 1);
    let calls = 0;
    const failing: FetchPage = (...args) => {
      if (++calls === 4) return Promise.reject(new Error("no more"));
      return pages.fetch(...args);
    };
    const options = {
      range: { start: 0 },
      reverse: true,
      concurrency: 3,
      spareInMs: () => 0,
    };
    await expect(everyOne(searchInSlices(failing, options))).rejects.toThrow(
      "no more",
    );
  });

  it("ends when its signal aborts", async () => {
    const pages = new Pages(stored([1, 2, 3, 4]), true, 1);
    const controller = new AbortController();
    const walk = searchInSlices(pages.fetch, {
      range: {},
      reverse: true,
      concurrency: 2,
      spareInMs: () => 0,
      signal: controller.signal,
    });
    await finished(walk.next());
    controller.abort(new Error("enough"));
    await expect(everyOne(walk)).rejects.toThrow("enough");
  });
});

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/** The distribution of the events in a week. */
const SHAPES = {
  "spread evenly": Array.from({ length: 5_001 }, (_, n) =>
    Math.floor((n * WEEK) / 5_001),
  ),
  "in the last minutes": Array.from(
    { length: 5_001 },
    (_, n) => WEEK - 300_000 + n * 60,
  ),
  "in the first minutes": Array.from({ length: 5_001 }, (_, n) => n * 60),
  "in a crowd each day": Array.from(
    { length: 5_001 },
    (_, n) => (n % 7) * 24 * HOUR + n * 20,
  ),
  "in a small crowd each hour": Array.from(
    { length: 5_001 },
    (_, n) => (n % 168) * HOUR + n,
  ),
  "by day and not by night": Array.from({ length: 5_001 }, (_, n) =>
    Math.floor(
      ((n % 7) + 0.5 + Math.asin(((n * 0.618) % 1) * 2 - 1) / Math.PI) *
        24 *
        HOUR,
    ),
  ),
  "all at once": Array.from({ length: 5_001 }, () => 4 * HOUR),
} as const;

/**
 * The rate of the throttle, the milliseconds for a page, and whether the service
 * handles only one page at a time.
 */
const SERVICES = [
  { rate: 5, pageMs: 20 },
  { rate: 5, pageMs: 150 },
  { rate: 5, pageMs: 250 },
  { rate: 5, pageMs: 1_000 },
  { rate: 2, pageMs: 700 },
  { rate: 20, pageMs: 200 },
  { rate: 50, pageMs: 15 },
  { rate: 1_000_000, pageMs: 50 },
  { rate: 1_000_000, pageMs: 20, isSingle: true },
];

/** Reads a week of events, and returns the duration in milliseconds of the fake clock. */
async function timeOfWalk(
  times: readonly number[],
  service: (typeof SERVICES)[number],
  concurrency: number,
) {
  const throttle = new Throttle(service.rate);
  const pages = new Pages(stored(times), true, 100);
  let freeAt = 0;
  const fetch: FetchPage = async (range, key, signal) => {
    await throttle.take(signal);
    const startsAt = service.isSingle
      ? Math.max(freeAt, performance.now())
      : performance.now();
    freeAt = startsAt + service.pageMs;
    const wait = freeAt - performance.now();
    await new Promise((resolve) => setTimeout(resolve, wait));
    return pages.answer(range, key);
  };
  const range = { start: 0, end: WEEK };
  const startedAt = performance.now();
  const ids = await everyOne(
    concurrency === 1
      ? eachEvent((key, signal) => fetch(range, key, signal), {
          prefetch: true,
        })
      : searchInSlices(fetch, {
          ...{ range, reverse: true, concurrency },
          spareInMs: () => throttle.spareInMs(),
        }),
  );
  return { ids, ms: performance.now() - startedAt };
}

describe.each(SERVICES)("with the service %j,", (service) => {
  it.each(Object.entries(SHAPES))(
    "events %s are read in slices no slower than page by page",
    async (_, times) => {
      const walk = (concurrency: number) =>
        timeOfWalk(times, service, concurrency);
      const plain = await walk(1);
      for (const concurrency of [2, 16]) {
        const sliced = await walk(concurrency);
        expect(sliced.ids).toEqual(plain.ids);
        // In a read of this length, slices try twice whether the service answers
        // several pages at once.
        const tried = service.isSingle ? 2 * service.pageMs : 0;
        expect(sliced.ms).toBeLessThanOrEqual(plain.ms + tried);
      }
    },
  );
});

it.each([
  ["spread evenly", 2.9],
  ["in the last minutes", 2.9],
  ["in a crowd each day", 2.5],
  ["in a small crowd each hour", 2.5],
] as const)(
  "events %s are read %d times as fast in slices if a page takes a second",
  async (shape, times) => {
    const service = { rate: 1_000_000, pageMs: 1_000 };
    const walk = (concurrency: number) =>
      timeOfWalk(SHAPES[shape], service, concurrency);
    const [plain, sliced] = [await walk(1), await walk(5)];
    expect(plain.ms / sliced.ms).toBeGreaterThan(times);
  },
);
