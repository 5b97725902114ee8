import type { Event } from "@devid/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TimeRange } from "../../../sdk/src/server-api/event";
import {
  searchInSlices,
  type FetchPage,
} from "../../../sdk/src/server-api/search-in-slices";

type Stored = Event;

/** A service with these events, which answers pages as the contract says and counts what it is asked. */
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
    /** Which ends of a stretch of time the service includes. */
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
    // A few turns of the loop, so that answers come in another order.
    for (let turns = (this.calls * 7) % 5; turns >= 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    this.busy--;
    // A key belongs to its query, as the service has it.
    const [of, from] = (key ?? `${JSON.stringify(range)}|0`).split("|");
    if (of !== JSON.stringify(range)) throw new Error("another query's key");
    const all = this.within(range);
    const end = Number(from) + this.limit;
    return {
      events: all.slice(Number(from), end),
      paginationKey: end < all.length ? `${of}|${end}` : undefined,
    };
  };

  walk(range: TimeRange, concurrency: number) {
    const { reverse } = this;
    return searchInSlices(this.fetch, { range, reverse, concurrency });
  }
}

const stored = (times: readonly number[]): Stored[] =>
  times.map((timestamp, n) => ({ event_id: `e${n}`, timestamp }));

async function everyOne(walk: AsyncIterable<{ event_id: string }>) {
  const ids: string[] = [];
  for await (const { event_id } of walk) ids.push(event_id);
  return ids;
}

describe("a search in slices", () => {
  it("answers what pages one after the other do, in their order, whatever the density and whichever ends the service includes", async () => {
    // Crowds of events at few times, and gaps between them.
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

  it("keeps several pages on their way, and asks for hardly more of them", async () => {
    const times = Array.from({ length: 20_000 }, (_, n) => n * 37);
    const pages = new Pages(stored(times), false, 100);
    const range = { start: 0, end: 37 * 20_000 };
    expect(await everyOne(pages.walk(range, 8))).toHaveLength(20_000);
    expect(pages.mostBusy).toBe(8);
    expect(pages.calls).toBeLessThan(270);
  });

  it("fetches a bounded number of pages for a caller that is slow", async () => {
    const times = Array.from({ length: 50_000 }, (_, n) => n);
    const pages = new Pages(stored(times), true, 100);
    const walk = pages.walk({ start: 0, end: 50_000 }, 4);
    await walk.next();
    for (let n = 0; n < 2_000; n++)
      await new Promise((resolve) => setImmediate(resolve));
    expect(pages.calls).toBeLessThan(4 * 8 + 10);
    await walk.return();
  });

  it("ends with the error of the first page that fails", async () => {
    const pages = new Pages(stored([1, 2, 3, 4, 5, 6]), true, 1);
    let calls = 0;
    const failing: FetchPage = (...args) => {
      if (++calls === 4) return Promise.reject(new Error("no more"));
      return pages.fetch(...args);
    };
    const options = { range: { start: 0 }, reverse: true, concurrency: 3 };
    await expect(everyOne(searchInSlices(failing, options))).rejects.toThrow(
      "no more",
    );
  });

  it("ends when its signal does", async () => {
    const pages = new Pages(stored([1, 2, 3, 4]), true, 1);
    const controller = new AbortController();
    const walk = searchInSlices(pages.fetch, {
      range: {},
      reverse: true,
      concurrency: 2,
      signal: controller.signal,
    });
    await walk.next();
    controller.abort(new Error("enough"));
    await expect(everyOne(walk)).rejects.toThrow("enough");
  });
});
