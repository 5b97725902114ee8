import fc from "fast-check";
import type { Event } from "@devid/sdk";
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
import type { Send } from "../sender.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import { DEFAULT_RANGE, event, filters, NOW_MS } from "./random-events.js";

let events: Send;
const local = openForTests(new LocalWorkspace());
beforeAll(() => {
  events = sendEvents(local);
});

/** Resets the service, and sets the clock to the time of the random events. */
async function startOver(): Promise<void> {
  await local.controlCall("POST", "/reset");
  const now = new Date(NOW_MS).toISOString();
  await local.controlCall("POST", "/clock", { body: { now } });
}

const queryOf = (values: FilterValues, more: Record<string, string>) =>
  new URLSearchParams([
    ...Object.entries(values).flatMap(([name, given]) =>
      given.map((value): [string, string] => [name, value]),
    ),
    ...Object.entries(more),
  ]);

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
            await local.controlCall("POST", "/clock", {
              body: { advance: "5h" },
            });
          }
          expect(ids).toEqual(all);
          expect(ids).toEqual(idsOf(matchesOf(stored, DEFAULT_RANGE, reverse)));
        },
      ),
      { numRuns: 15 },
    );
  });
});
