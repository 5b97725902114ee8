import {
  impactOf,
  type ImpactOptions,
  type ReadingEstimate,
} from "@devid/review/replay";
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import type { Look } from "../../../review/src/replay/guess-total";
import {
  planReading,
  type ReadingOptions,
  type Slice,
} from "../../../review/src/replay/plan-reading";
import type { ReplayRange } from "../../../review/src/replay/replay-options";
import { SeededRandom } from "../../bench/seeded-random";
import { openForTests } from "../../helpers/open-for-tests";
import { rule } from "../../rules/diff/rule";
import { rejection, Workspace } from "../../sdk/workspace";

const HOUR = 3_600_000;
const RANGE: ReplayRange = { start: 0, end: 24 * HOUR };
const COUNT = 10_000;
const PAGE = 100;
/** Calls a second. */
const RATE = 25;
const CALL_MS = 1_000 / RATE;

/** Times of the events, in order. Half of them are in ten bursts of half an hour. */
const TIMES = timesOfEvents();

function timesOfEvents(): number[] {
  const random = new SeededRandom(1);
  const bursts = Array.from({ length: 10 }, () => random.below(23 * HOUR));
  return Array.from({ length: COUNT }, (_, n) =>
    n % 2 === 0
      ? random.below(24 * HOUR)
      : (bursts[n % 10] ?? 0) + random.below(HOUR / 2),
  ).sort((a, b) => a - b);
}

const within = ({ start, end }: ReplayRange) =>
  TIMES.filter((time) => time >= start && time < end);

/** A plan for the events, on a clock that each call advances as the rate limit does. */
async function planned(options: ReadingOptions) {
  const random = new SeededRandom(7);
  const estimates: ReadingEstimate[] = [];
  let calls = 0;
  const look = (range: ReplayRange): Promise<Look> => {
    calls += 1;
    vi.advanceTimersByTime(CALL_MS);
    const times = within(range);
    return Promise.resolve({
      count: Math.min(1_000, times.length),
      timestamps: times.slice(0, PAGE),
    });
  };
  const plan = await planReading(look, RANGE, {
    callsPerSecond: RATE,
    random: () => random.next(),
    onEstimate: (estimate) => estimates.push(estimate),
    ...options,
  });
  const sizes = (plan?.parts.flat() ?? []).map(
    ({ start, end }: Slice) => within({ start, end: end + 1 }).length,
  );
  const pages = sizes.reduce(
    (all, size) => all + Math.max(1, Math.ceil(size / PAGE)),
    0,
  );
  const [estimate] = estimates;
  expect(estimates).toHaveLength(1);
  return {
    plan,
    estimate,
    events: sizes.reduce((all, size) => all + size, 0),
    ms: (calls + pages) * CALL_MS,
  };
}

describe("a plan with a deadline", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("has as many events as the time allows", async () => {
    const withinMs = 4_000;
    const { estimate, events, ms } = await planned({ withinMs });
    const { sample = NaN, expectedMs = NaN } = estimate ?? {};
    expect(ms).toBeLessThanOrEqual(withinMs);
    expect(ms).toBeGreaterThan(withinMs / 2);
    expect(expectedMs).toBeGreaterThan(withinMs / 2);
    expect(events).toBeGreaterThan(sample / 2);
    expect(events).toBeLessThan(sample * 2);
  });

  it("keeps a given sample that fits", async () => {
    const { estimate, events } = await planned({
      withinMs: 8_000,
      sample: 300,
    });
    expect(estimate?.sample).toBe(300);
    expect(events).toBeGreaterThan(150);
    expect(events).toBeLessThan(600);
  });

  it("reduces a given sample that is too large", async () => {
    const withinMs = 4_000;
    const { estimate, ms } = await planned({ withinMs, sample: 4_000 });
    expect(estimate?.sample).toBeLessThan(2_500);
    expect(ms).toBeLessThanOrEqual(withinMs);
  });

  it("has all events if the time is enough", async () => {
    const { plan, estimate } = await planned({ withinMs: 60_000 });
    const { events = NaN, expectedMs = NaN, ...more } = estimate ?? {};
    expect(plan).toBeUndefined();
    expect(more).toEqual({});
    expect(events).toBeGreaterThan(COUNT / 2);
    expect(events).toBeLessThan(COUNT * 2);
    expect(expectedMs).toBe(Math.ceil(events / PAGE) * CALL_MS);
  });

  it.each([300, 1_400])(
    "is refused with the least time needed, if %d ms are too short for any sample",
    async (withinMs) => {
      const error = await rejection(planned({ withinMs }));
      expect(error.name).toBe("DeadlineTooShortError");
      const said = /takes at least (\d+) ms for so many events/.exec(
        error.message,
      );
      expect(Number(said?.[1])).toBeGreaterThanOrEqual(2_500);
      expect(Number(said?.[1])).toBeLessThan(3_500);
    },
  );
});

describe("a replay", () => {
  const workspace = openForTests(new Workspace());
  const now = Date.now();
  const start = now - HOUR;

  beforeAll(async () => {
    await workspace.control(
      "/us/events",
      Array.from({ length: 50 }, (_, n) => ({
        event_id: `${start}.e${n}`,
        timestamp: start + n,
        environment_id: workspace.environment,
      })),
    );
  });

  /** An impact of few events, and the calls for it. */
  async function measured(options: Partial<ImpactOptions>) {
    const estimates: ReadingEstimate[] = [];
    let calls = 0;
    const client = workspace.client({ onRequest: () => (calls += 1) });
    const impact = await impactOf(client, {
      proposed: [rule("curl", "http.user_agent.string startsWith 'curl/'")],
      inForce: [],
      environment: workspace.environment,
      start,
      end: now,
      onEstimate: (estimate) => estimates.push(estimate),
      ...options,
    });
    return { impact, calls, estimates };
  }

  it("with a deadline counts and reads few events with two calls", async () => {
    const { impact, estimates, calls } = await measured({ withinMs: 60_000 });
    expect(impact.events).toBe(50);
    expect(impact).not.toHaveProperty("sample");
    expect(estimates).toMatchObject([{ events: 50 }]);
    expect(calls).toBe(2);
  });

  it("without deadline, sample or `onEstimate` makes no extra calls", async () => {
    const { calls } = await measured({ onEstimate: undefined });
    expect(calls).toBe(1);
  });

  it.each([0, -1, NaN])(
    "with a deadline of %d is refused",
    async (withinMs) => {
      const error = await rejection(measured({ withinMs }));
      expect(error.message).toContain(
        "withinMs: must be a number of milliseconds",
      );
    },
  );
});
