import type { Rule } from "@devid/rules";
import {
  impactOf,
  type ImpactOptions,
  type ReadingEstimate,
} from "@devid/review/replay";
import { beforeAll, describe, expect, it } from "vitest";
import { SeededRandom } from "../../bench/seeded-random";
import { rule } from "../../rules/diff/rule";
import { rejection, Workspace } from "../../sdk/workspace";
import { openForTests } from "../../helpers/open-for-tests";

const HOUR = 3_600_000;
const COUNT = 10_000;
/** Calls a second that the service and the client allow. */
const RATE = 25;
const CURL = rule("curl", "http.user_agent.string startsWith 'curl/'");

let start: number;
let end: number;

const workspace = openForTests(new Workspace({ rateLimit: RATE }));
beforeAll(async () => {
  end = Date.now() - HOUR;
  start = end - 24 * HOUR;
  const random = new SeededRandom(1);
  // Half of the events are in ten bursts of half an hour.
  const bursts = Array.from({ length: 10 }, () => random.below(23 * HOUR));
  const events = Array.from({ length: COUNT }, (_, n) => ({
    event_id: `${start}.e${n}`,
    timestamp:
      start +
      (n % 2 === 0
        ? random.below(24 * HOUR)
        : (bursts[n % 10] ?? 0) + random.below(HOUR / 2)),
    user_agent: random.chance(0.3) ? "curl/8" : "Mozilla/5.0",
    environment_id: workspace.environment,
  }));
  for (let n = 0; n < COUNT; n += 1_000)
    await workspace.control("/us/events", events.slice(n, n + 1_000));
  // The first calls to a new service are slower than later calls.
  await measured({ end: start + HOUR });
});

/** The calls that the rate limit allows within a time: a full bucket, and the refills. */
const mostCalls = (withinMs: number) => RATE + (RATE * withinMs) / 1_000;

/** An impact at the service's rate limit, and its number of calls. */
async function measured(options: Partial<ImpactOptions>) {
  const random = new SeededRandom(7);
  const estimates: ReadingEstimate[] = [];
  let calls = 0;
  const client = workspace.client(
    { onRequest: () => (calls += 1) },
    { eventsRequestsPerSecond: String(RATE) },
  );
  const impact = await impactOf(client, {
    proposed: [CURL],
    inForce: [] as Rule[],
    environment: workspace.environment,
    start,
    end,
    random: () => random.next(),
    onEstimate: (estimate) => estimates.push(estimate),
    ...options,
  });
  return { impact, calls, estimates };
}

describe("a replay with a deadline", () => {
  it("reads as many events as the time allows, and estimates the rest", async () => {
    const withinMs = 4_000;
    const { impact, calls, estimates } = await measured({ withinMs });
    expect(calls).toBeLessThanOrEqual(mostCalls(withinMs));
    expect(impact.sample?.confidence).toBe(0.95);
    expect(impact.events).toBeGreaterThan(500);
    const { value, low = NaN, high = NaN } = impact.total.newlyDenied;
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    const [estimate] = estimates;
    expect(estimates).toHaveLength(1);
    expect(estimate?.expectedMs).toBeGreaterThan(withinMs / 2);
    const { sample = NaN } = estimate ?? {};
    expect(impact.events).toBeGreaterThan(sample / 2);
    expect(impact.events).toBeLessThan(sample * 2);
  });

  it("keeps a given sample that fits", async () => {
    const { impact, estimates } = await measured({
      withinMs: 8_000,
      sample: 300,
    });
    expect(estimates[0]?.sample).toBe(300);
    expect(impact.events).toBeGreaterThan(150);
    expect(impact.events).toBeLessThan(600);
  });

  it("reduces a given sample that is too large", async () => {
    const withinMs = 4_000;
    const { impact, calls, estimates } = await measured({
      withinMs,
      sample: 4_000,
    });
    expect(estimates[0]?.sample).toBeLessThan(2_500);
    expect(impact.events).toBeLessThan(4_000);
    expect(calls).toBeLessThanOrEqual(mostCalls(withinMs));
  });

  it("reads all events if the time is enough", async () => {
    const { impact, estimates } = await measured({ withinMs: 60_000 });
    expect(impact).not.toHaveProperty("sample");
    expect(impact.events).toBe(COUNT);
    const [{ events = NaN, expectedMs = NaN, ...more } = {}] = estimates;
    expect(more).toEqual({});
    expect(events).toBeGreaterThan(COUNT / 2);
    expect(events).toBeLessThan(COUNT * 2);
    // The rate limit allows at least this many. The real time also depends on the
    // machine.
    expect(expectedMs).toBeGreaterThan(((COUNT / 100 / RATE) * 1_000) / 2);
    expect(expectedMs).toBeLessThan(60_000);
  });

  it("counts and reads few events with two calls", async () => {
    const { impact, estimates, calls } = await measured({
      withinMs: 1_000,
      end: start + 1,
    });
    expect(estimates[0]?.events).toBe(impact.events);
    expect(calls).toBe(2);
  });
});

it("a deadline that is too short for any sample is refused with the least time needed", async () => {
  for (const [withinMs, least] of [
    [300, 2_500],
    [1_400, 2_500],
  ] as const) {
    const error = await rejection(measured({ withinMs }));
    expect(error.name).toBe("DeadlineTooShortError");
    const said = /takes at least (\d+) ms for so many events/.exec(
      error.message,
    );
    expect(Number(said?.[1])).toBeGreaterThanOrEqual(least);
    expect(Number(said?.[1])).toBeLessThan(3 * least);
  }
});

it.each([0, -1, NaN])("a deadline of %d is refused", async (withinMs) => {
  const error = await rejection(measured({ withinMs }));
  expect(error.message).toContain("withinMs: must be a number of milliseconds");
});

it("a replay without deadline, sample or `onEstimate` makes no extra calls", async () => {
  const { calls, estimates } = await measured({
    onEstimate: undefined,
    end: start + HOUR / 60,
  });
  expect(calls).toBe(1);
  expect(estimates).toEqual([]);
});
