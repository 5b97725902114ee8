import { eventsByDay, SearchTimeoutError, type Event } from "@devid/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { all } from "../all";
import { rejection, workspaceForTests } from "../workspace";

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/**
 * A service that needs this time for an hour of events, and refuses a search after 30
 * s, unless it finds `pageSize` events before.
 */
function slowService(
  events: readonly Event[],
  secondsPerHour: number,
  pageSize: number,
) {
  const asked: { start: number; end: number }[] = [];
  async function* search(range: { start: number; end: number }) {
    asked.push(range);
    await Promise.resolve();
    const found = events.filter(
      ({ timestamp }) => timestamp >= range.start && timestamp <= range.end,
    );
    const hours = (range.end - range.start) / 3_600_000;
    const isTooMuch = hours * secondsPerHour > 30;
    yield* isTooMuch ? found.slice(0, pageSize) : found;
    if (isTooMuch)
      throw new SearchTimeoutError({
        operation: "Searching events",
        status: 504,
        detail: "The search took too long",
      });
  }
  return { asked, search };
}

describe("a read by day", () => {
  it("returns each event once in order of time, even if large searches are too slow", async () => {
    const times = fc.array(fc.integer({ min: 0, max: 3 * DAY_MS }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(
        times,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 5 }),
        fc.boolean(),
        async (at, secondsPerHour, pageSize, newestFirst) => {
          const direction = newestFirst ? -1 : 1;
          const events = at
            // Some events have the same time.
            .map((time) => Math.floor(time / 7_000_000) * 7_000_000)
            .sort((a, b) => direction * (a - b))
            .map((timestamp, n) => ({ event_id: `e${n}`, timestamp }));
          const { search, asked } = slowService(
            events,
            secondsPerHour,
            pageSize,
          );
          const range = { start: 0, end: 3 * DAY_MS };
          const found = await all(eventsByDay(range, search, { newestFirst }));
          expect(found.map((event) => event.event_id)).toEqual(
            events.map((event) => event.event_id),
          );
          for (const { start, end } of asked)
            expect(end - start).toBeLessThanOrEqual(DAY_MS + 1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("ends with the service's error if even a minute is too slow", async () => {
    const { search, asked } = slowService([], 1_000_000, 0);
    const walk = all(eventsByDay({ start: DAY_MS, end: 2 * DAY_MS }, search));
    expect((await rejection(walk)).name).toBe("SearchTimeoutError");
    expect(asked.length).toBeLessThan(15);
    const last = asked.at(-1);
    expect(Number(last?.end) - Number(last?.start)).toBe(MINUTE_MS + 1);
  });
});

const workspace = workspaceForTests();

it.each([504, 503])(
  "a read by day from the local service continues after %i",
  async (status) => {
    const now = Date.now() - 60_000;
    const events = Array.from({ length: 40 }, (_, n) => ({
      event_id: `e${n}`,
      timestamp: now - (40 - n) * (DAY_MS / 8),
    }));
    await workspace.control("/us/events", events);
    const body = { error: { code: "failed", message: "Too slow." } };
    await workspace.fault({
      match: { method: "GET" },
      times: 3,
      then: { status, body },
    });
    const { events: api } = workspace.client({ retry: { maxAttempts: 1 } });
    const found = await all(
      eventsByDay({ start: now - 6 * DAY_MS, end: now }, (range) =>
        api.searchAll({ ...range, reverse: true }),
      ),
    );
    expect(found.map((event) => event.event_id)).toEqual(
      events.map((event) => event.event_id),
    );
  },
);
