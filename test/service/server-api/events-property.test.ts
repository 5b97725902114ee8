import fc from "fast-check";
import type { Event } from "@devid/sdk";
import { EVENT_FILTERS } from "@devid/sdk/wire/events";
import { beforeAll, describe, expect, it } from "vitest";
import {
  addEvents,
  idsOf,
  searchPage,
  searchPages,
  sendEvents,
} from "./event-calls.js";
import { matchesOf, type FilterValues } from "./event-filter.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import {
  DEFAULT_RANGE,
  event,
  filters,
  NOW_MS,
  valuesOf,
} from "./random-events.js";

const local = openForTests(new LocalWorkspace());
const events = sendEvents(local);

/** Resets the service, and sets the clock to the time of the random events. */
async function startOver(): Promise<void> {
  await local.reset();
  const now = new Date(NOW_MS).toISOString();
  await local.moveClock(now);
}

const queryOf = (values: FilterValues, more: Record<string, string>) =>
  new URLSearchParams([
    ...Object.entries(values).flatMap(([name, given]) =>
      given.map((value): [string, string] => [name, value]),
    ),
    ...Object.entries(more),
  ]);

describe("a filter alone", () => {
  let stored: Event[];
  beforeAll(async () => {
    await startOver();
    stored = await addEvents(
      local,
      fc.sample(event, { numRuns: 600, seed: 2 }),
    );
  });

  // contract: events-55, events-56, events-57, events-58, events-59, events-60, events-61
  // contract: events-62, events-65, events-66, events-71, events-72, events-73, events-74
  // contract: events-75, events-76, events-77, events-79, events-80, events-81, events-83
  // contract: events-84, events-85, events-88, events-92
  it.each(Object.entries(EVENT_FILTERS))(
    "finds what a scan of all events finds: %s",
    async (name, parameter) => {
      let found = 0;
      const sampled = { numRuns: 12, seed: 3 };
      for (const value of fc.sample(valuesOf(name, parameter), sampled)) {
        const values = { ...DEFAULT_RANGE, [name]: value };
        const expected = idsOf(matchesOf(stored, values, false));
        const query = queryOf(values, { limit: "100", total_hits: "1000" });
        const page = await searchPage(events, query);
        const ids = expected.slice(0, 100);
        expect([value, idsOf(page.events)]).toEqual([value, ids]);
        expect(page.total_hits).toBe(expected.length);
        found += expected.length;
      }
      expect(found).toBeGreaterThan(0);
      expect(found).toBeLessThan(12 * stored.length);
    },
  );
});

describe("a search", () => {
  // contract: events-54, events-95, events-101
  it("finds the same events in the same order as a scan of all events, page by page", async () => {
    await startOver();
    const parts = fc.sample(event, { numRuns: 600, seed: 1 });
    const stored = await addEvents(local, parts);
    await addEvents(local, parts.slice(0, 50), "eu");
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.boolean(),
        fc.integer({ min: 20, max: 100 }),
        async (given, reverse, limit) => {
          // The clock moves on meanwhile, so the end of the window is fixed.
          const values = { ...DEFAULT_RANGE, ...given };
          const expected = idsOf(matchesOf(stored, values, reverse));
          const query = queryOf(values, {
            reverse: String(reverse),
            limit: String(limit),
            total_hits: "400",
          });
          const ids: string[] = [];
          for await (const page of searchPages(events, query)) {
            expect(page.total_hits).toBe(Math.min(400, expected.length));
            ids.push(...idsOf(page.events));
            if (page.pagination_key !== undefined)
              expect(page.events).toHaveLength(limit);
            else if (expected.length > 0) expect(page.events).not.toEqual([]);
          }
          expect(ids).toEqual(expected);
          found += ids.length;
        },
      ),
      { numRuns: 25 },
    );
    expect(found).toBeGreaterThan(250);
  });

  // contract: events-95, events-96
  it("keeps its result while events are added and the clock moves", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 20, maxLength: 60 }),
        fc.array(event, { minLength: 1, maxLength: 10 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        async (before, between, reverse, limit) => {
          await startOver();
          const stored: Event[] = await addEvents(local, before);
          const query = queryOf({}, { reverse: String(reverse) });
          const all = idsOf(
            (await searchPage(events, `${String(query)}&limit=100`)).events,
          );
          query.set("limit", String(limit));
          const ids: string[] = [];
          for await (const page of searchPages(events, query)) {
            ids.push(...idsOf(page.events));
            await addEvents(local, between);
            await local.advance("5h");
          }
          expect(ids).toEqual(all);
          expect(ids).toEqual(idsOf(matchesOf(stored, DEFAULT_RANGE, reverse)));
        },
      ),
      { numRuns: 15 },
    );
  });
});
