import type { Event } from "@devid/sdk";
import { measureImpact, type Estimate } from "@devid/review/replay";
import { describe, expect, it } from "vitest";
import {
  type ReadEvents,
  sampleImpact,
} from "../../../review/src/replay/sample-impact";
import { countRoughly } from "../../../review/src/replay/count-roughly";
import { planSample } from "../../../review/src/replay/sample-plan";
import { studentT } from "../../../review/src/replay/range-totals";
import { SeededRandom } from "../../bench/seeded-random";
import { rule } from "../../rules/diff/rule";

const DAY = 24 * 3_600_000;
const RANGE = { start: Date.UTC(2026, 5, 1), end: Date.UTC(2026, 5, 2) };
const OPTIONS = {
  ...RANGE,
  inForce: [],
  proposed: [rule("curl", "http.user_agent.string startsWith 'curl/'")],
};

/** Many events by day, few by night, and bursts with mostly bots. */
function skewed(
  seed: number,
  steady: number,
  bursts: readonly { readonly events: number; readonly ms: number }[],
): Event[] {
  const random = new SeededRandom(seed);
  const made: { timestamp: number; user_agent: string }[] = [];
  const add = (at: number, bots: number) =>
    made.push({
      timestamp: RANGE.start + Math.floor(at),
      user_agent: random.chance(bots) ? "curl/8" : "Mozilla/5.0",
    });
  while (made.length < steady) {
    const at = random.below(DAY);
    if (random.chance(0.2 + 0.8 * Math.sin((Math.PI * at) / DAY) ** 2))
      add(at, 0.02);
  }
  for (const { events, ms } of bursts) {
    const from = random.below(DAY - ms);
    for (let n = 0; n < events; n++) add(from + random.below(ms), 0.7);
  }
  return made
    .sort((a, b) => a.timestamp - b.timestamp)
    .map((event, n) => ({ event_id: `e${n}`, ...event }));
}

/** The index of the first event at or after a time, among sorted events. */
function placeOf(events: readonly Event[], time: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.timestamp ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A steady day without bots, and clusters of bots of a minute each. */
function clustered(seed: number, clusters: number, bots: number): Event[] {
  const steady = skewed(seed, 20_000, []);
  const random = new SeededRandom(seed);
  const found = times(clusters, 0).flatMap(() => {
    const from = RANGE.start + random.below(DAY - minutes(1));
    return times(bots, 0).map(() => ({
      timestamp: from + random.below(minutes(1)),
      user_agent: "curl/8",
    }));
  });
  return [...steady.map((event) => ({ ...event, user_agent: "x" })), ...found]
    .sort((a, b) => a.timestamp - b.timestamp)
    .map((event, n) => ({ ...event, event_id: `e${n}` }));
}

/** Reads sorted events like the service. */
function reader(events: readonly Event[]): ReadEvents {
  return async function* ({ start, end }) {
    yield* events.slice(placeOf(events, start), placeOf(events, end + 1));
    await Promise.resolve();
  };
}

/** Counts sorted events like the service, and returns a page. */
function looker(events: readonly Event[]) {
  return ({ start, end }: { start: number; end: number }) => {
    const [from, to] = [placeOf(events, start), placeOf(events, end)];
    const page = events.slice(from, Math.min(to, from + 100));
    return Promise.resolve({
      count: Math.min(1_000, to - from),
      timestamps: page.map(({ timestamp }) => timestamp),
    });
  };
}

async function sampled(
  events: readonly Event[],
  size: number | undefined,
  seed: number,
  options: typeof OPTIONS & { readonly withinMs?: number } = OPTIONS,
) {
  const random = new SeededRandom(seed);
  const next = () => random.next();
  const total = await countRoughly(looker(events), RANGE, next);
  const hasTimeLimit = size === undefined;
  const plan = planSample(RANGE, { sample: size, total, hasTimeLimit }, next);
  return plan
    ? sampleImpact(reader(events), plan, options)
    : expect.fail("no sample");
}

const RUNS = 80;

/** 0.95 minus two standard errors of this number of runs. */
const OFTEN_ENOUGH = 0.901;

/** The share of the bounds that contain the truth. */
function shareOf(truth: number, estimates: readonly Estimate[]): number {
  const right = estimates.filter(
    ({ low = NaN, high = NaN }) => low <= truth && truth <= high,
  );
  return right.length / estimates.length;
}

const minutes = (n: number) => n * 60_000;
const burst = (events: number, long: number) => ({ events, ms: minutes(long) });
const times = <T>(n: number, value: T) =>
  Array.from({ length: n }, () => value);

describe("the bounds of a sample", () => {
  it.each<[string, Event[]]>([
    ["a steady day", skewed(1, 20_000, [])],
    ["bursts of 10 minutes", skewed(2, 12_000, times(12, burst(700, 10)))],
    ["short bursts", skewed(3, 10_000, times(40, burst(250, 1)))],
    ["hardly anything to find", skewed(4, 20_000, []).map(rarely)],
    ["every event", skewed(3, 20_000, []).map(byBot)],
    ["all but few events", skewed(4, 20_000, []).map(mostlyByBot)],
    ["clusters that most slices miss", clustered(5, 60, 20)],
    ["few clusters, which most samples miss", clustered(6, 10, 20)],
    ["few clusters of many events", clustered(6, 20, 60)],
  ])(
    "contain the true count and percentage in 95 % of the runs: %s",
    async (_, events) => {
      const whole = await measureImpact(reader(events)(RANGE), OPTIONS);
      const truth = whole.total.newlyDenied.value;
      const runs = await Promise.all(
        times(RUNS, 0).map((_, seed) => sampled(events, 1_200, seed * 7_919)),
      );
      const denied = runs.map(({ total }) => total.newlyDenied);
      const all = runs.map(({ sample }) => sample?.of ?? expect.fail());
      expect(shareOf(truth, denied)).toBeGreaterThanOrEqual(OFTEN_ENOUGH);
      expect(shareOf(events.length, all)).toBeGreaterThanOrEqual(OFTEN_ENOUGH);
      for (const [n, { high = NaN }] of denied.entries())
        expect(high).toBeLessThanOrEqual(all[n]?.high ?? NaN);

      const values = denied.map(({ value }) => value);
      const mean = values.reduce((a, b) => a + b) / values.length;
      const squares = values.reduce((a, b) => a + (b - mean) ** 2, 0);
      const error = Math.sqrt(squares) / values.length;
      expect(Math.abs(mean - truth)).toBeLessThan(3.5 * error + 1);

      const share = (100 * truth) / events.length;
      const right = denied.filter(
        ({ percent: { low, high } = expect.fail("no bounds") }) =>
          low <= share + 1e-9 && share <= high + 1e-9,
      );
      expect(right.length / RUNS).toBeGreaterThanOrEqual(OFTEN_ENOUGH);
      for (const { percent } of runs.flatMap(({ total }) =>
        Object.values(total),
      )) {
        if (!percent) continue;
        expect(percent.low).toBeGreaterThanOrEqual(0);
        expect(percent.high).toBeLessThanOrEqual(100);
        expect(percent.low).toBeLessThanOrEqual(percent.high);
      }
    },
    120_000,
  );

  it("are narrow if there are many similar events", async () => {
    const events = skewed(1, 30_000, []);
    const { total, sample, events: looked } = await sampled(events, 3_000, 1);
    const { low = 0, high = Infinity } = sample?.of ?? {};
    expect(high - low).toBeLessThan(0.2 * events.length);
    expect(
      (total.newlyDenied.high ?? Infinity) - total.newlyDenied.value,
    ).toBeLessThan(0.6 * total.newlyDenied.value);
    expect(looked).toBeGreaterThan(2_000);
    expect(looked).toBeLessThan(4_000);
  });

  it("reach from 0 to a few events for an outcome that no sampled event has", async () => {
    const events = skewed(1, 30_000, []).map((event) => ({
      ...event,
      user_agent: "Mozilla/5.0",
    }));
    const { total, events: looked } = await sampled(events, 2_000, 1);
    const { value, low, high = 0 } = total.newlyDenied;
    expect([value, low]).toEqual([0, 0]);
    expect(high).toBeGreaterThan((3 * events.length) / looked);
    expect(high).toBeLessThan(events.length / 10);
  });

  it("all numbers of a sample agree with each other", async () => {
    const events = skewed(2, 18_000, times(5, { events: 1_000, ms: 60_000 }));
    const impact = await sampled(events, 2_000, 5);
    const { total, newlyDenied, rules, periods, sample } = impact;
    const weight = total.newlyDenied.value / newlyDenied.events;
    expect((sample?.of.value ?? 0) / impact.events).toBeCloseTo(weight, 2);
    const { percent: _, ...denied } = total.newlyDenied;
    expect(rules[0]?.outcomes.newlyDenied).toEqual(denied);
    expect(rules[0]?.decidedAfter).toEqual(denied);
    const charted = periods.reduce((sum, period) => sum + period.events, 0);
    expect(Math.abs(charted - (sample?.of.value ?? 0))).toBeLessThan(48);
    expect(sample?.confidence).toBe(0.95);
  });
});

const byBot = (event: Event): Event => ({ ...event, user_agent: "curl/8" });

/** One of 500 events is not from a bot. */
function mostlyByBot(event: Event, n: number): Event {
  return n % 500 === 0 ? { ...event, user_agent: "Mozilla/5.0" } : byBot(event);
}

/** One of 500 events keeps its user agent. */
function rarely(event: Event, n: number): Event {
  return n % 500 === 0
    ? { ...event, user_agent: "curl/8" }
    : { ...event, user_agent: "Mozilla/5.0" };
}

describe("a sample for a time", () => {
  const events = skewed(2, 12_000, times(12, burst(700, 10)));

  it("is exact if the time is enough for all events", async () => {
    const whole = await measureImpact(reader(events)(RANGE), OPTIONS);
    const { periods, ...rest } = whole;
    const found = await sampled(events, undefined, 1);
    expect(found).toMatchObject(rest);
    expect(found).not.toHaveProperty("sample");
    expect(found.periods).toEqual(periods);
  });

  it("reads two slices of each part in any case, and the bounds contain the truth", async () => {
    const whole = await measureImpact(reader(events)(RANGE), OPTIONS);
    const truth = whole.total.newlyDenied.value;
    const runs = await Promise.all(
      times(RUNS, 0).map((_, seed) =>
        sampled(events, undefined, seed * 7_919, { ...OPTIONS, withinMs: 0 }),
      ),
    );
    for (const { events: looked, sample } of runs) {
      expect(sample).toBeDefined();
      expect(looked).toBeGreaterThan(0);
      expect(looked).toBeLessThan(events.length / 2);
    }
    const denied = runs.map(({ total }) => total.newlyDenied);
    expect(shareOf(truth, denied)).toBeGreaterThanOrEqual(OFTEN_ENOUGH);
  });
});

describe("the slices of a sample", () => {
  const draw = (
    range: typeof RANGE,
    sample: number | undefined,
    total: number,
  ) => {
    const random = new SeededRandom(1);
    const hasTimeLimit = sample === undefined;
    return planSample(range, { sample, total, hasTimeLimit }, () =>
      random.next(),
    );
  };

  it("are as many of each part as the sample needs", () => {
    const plan = draw(RANGE, 1_000, 100_000) ?? expect.fail("no plan");
    expect(plan.parts).toHaveLength(20);
    expect(plan.wanted).toBe(2);
    for (const slices of plan.parts) expect(slices).toHaveLength(200);
    const partMs = DAY / plan.parts.length;
    plan.parts.forEach((slices, i) => {
      for (const { start, end } of slices) {
        expect(start).toBeGreaterThanOrEqual(RANGE.start + i * partMs);
        expect(end).toBeLessThan(RANGE.start + (i + 1) * partMs);
        expect(end + 1 - start).toBe(partMs / 200);
      }
    });
  });

  it("cover the whole range, each millisecond once", () => {
    const plan = draw({ start: 7, end: 1_007 }, 100, 1_000);
    const covered = (plan?.parts.flat() ?? []).flatMap(({ start, end }) =>
      Array.from({ length: end + 1 - start }, (_, n) => start + n),
    );
    expect(covered.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => n + 7),
    );
  });

  it("are all drawn equally often", () => {
    const range = { start: 0, end: 2_000 };
    const drawn = new Map<number, number>();
    for (let seed = 0; seed < 4_000; seed++) {
      const random = new SeededRandom(seed);
      const plan = planSample(
        range,
        { sample: 500, total: 2_000, hasTimeLimit: false },
        () => random.next(),
      );
      for (const { start } of plan?.parts[0]?.slice(0, plan.wanted) ?? [])
        drawn.set(start, (drawn.get(start) ?? 0) + 1);
    }
    expect(drawn.size).toBe(8);
    for (const count of drawn.values())
      expect(Math.abs(count - 1_000)).toBeLessThan(100);
  });

  it("do not exist if the sample is half of all events, or the range is too short", () => {
    expect(draw(RANGE, 1_000, 1_900)).toBeUndefined();
    expect(draw(RANGE, 1_000, 0)).toBeUndefined();
    expect(draw({ start: 0, end: 39 }, 1_000, 100_000)).toBeUndefined();
    expect(draw(RANGE, undefined, 1_000)).toBeUndefined();
    expect(draw(RANGE, undefined, 10_000)).toBeDefined();
    expect(draw(RANGE, 1_000, 2_200)).toBeDefined();
  });
});

describe("the estimate of the number of events", () => {
  const guess = (events: readonly Event[], seed: number) => {
    const random = new SeededRandom(seed);
    let calls = 0;
    const look = looker(events);
    return countRoughly(
      (range) => {
        calls += 1;
        return look(range);
      },
      RANGE,
      () => random.next(),
    ).then((found) => ({ found, calls }));
  };

  it.each<[string, Event[]]>([
    ["none", []],
    ["one", skewed(1, 1, [])],
    ["as many as one call counts", skewed(1, 999, [])],
  ])("is exact after one call: %s", async (_, events) => {
    expect(await guess(events, 1)).toEqual({ found: events.length, calls: 1 });
  });

  it.each<[string, Event[]]>([
    ["a few more than one call counts", skewed(1, 1_001, [])],
    ["a steady day", skewed(1, 20_000, [])],
    ["long bursts", skewed(2, 12_000, times(12, burst(700, 10)))],
    ["many, in bursts", skewed(4, 60_000, times(10, burst(4_000, 30)))],
  ])("is within a factor of two: %s", async (_, events) => {
    const guesses = await Promise.all(
      times(60, 0).map((_, seed) => guess(events, seed * 7_919)),
    );
    const right = guesses.filter(
      ({ found: n }) => n > events.length / 2 && n < events.length * 2,
    );
    expect(right.length).toBeGreaterThanOrEqual(55);
    for (const { calls } of guesses) expect(calls).toBeLessThanOrEqual(17);
  });
});

it.each([
  [1, 12.706],
  [1.9, 12.706],
  [2, 4.303],
  [11, 2.228],
  [59, 2.042],
  [Infinity, 1.98],
  [0.5, 12.706],
])("Student's quantile for %d degrees of freedom is %d", (degrees, t) => {
  expect(studentT(degrees)).toBe(t);
});
