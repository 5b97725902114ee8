import type { Client, Event } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import {
  impactOf,
  type ImpactOptions,
  type ReplayProgress,
} from "@devid/review/replay";
import { beforeAll, describe, expect, it } from "vitest";
import { SeededRandom } from "../../bench/seeded-random";
import { rule } from "../../rules/diff/rule";
import { rejection, Workspace } from "../../sdk/workspace";
import { openForTests } from "../../helpers/open-for-tests";

const HOUR = 3_600_000;
const COUNT = 12_321;
const CURL = rule("curl", "http.user_agent.string startsWith 'curl/'");

let events: Event[];
let start: number;
let end: number;

const workspace = openForTests(new Workspace());
beforeAll(async () => {
  end = Date.now() - HOUR;
  start = end - 24 * HOUR;
  const random = new SeededRandom(1);
  events = Array.from({ length: COUNT }, (_, n) => ({
    event_id: `${start}.e${n}`,
    // Some events have the same time, and one event is at each end.
    timestamp: n === 0 ? start : start + random.below(24 * 36_000) * 100,
    user_agent: random.chance(0.3) ? "curl/8" : "Mozilla/5.0",
    environment_id: n % 10 === 9 ? "ae_other" : workspace.environment,
  }));
  events.push({ event_id: "at.the.end", timestamp: end, user_agent: "curl/8" });
  for (let n = 0; n < events.length; n += 1_000)
    await workspace.control("/us/events", events.slice(n, n + 1_000));
});

const impact = ({
  client = workspace.client(),
  ...more
}: Partial<ImpactOptions> & { readonly client?: Client } = {}) =>
  impactOf(client, {
    proposed: [CURL],
    inForce: [] as Rule[],
    environment: workspace.environment,
    start,
    end,
    ...more,
  });

const ofEnvironment = (id: string) =>
  events.filter(
    (event) => event.timestamp < end && event.environment_id === id,
  );
const bots = (some: readonly Event[]) =>
  some.filter((event) => event.user_agent === "curl/8").length;

describe("the impact on the service's events", () => {
  it("counts all events of the range and the environment, over many pages", async () => {
    const progress: ReplayProgress[] = [];
    const own = ofEnvironment(workspace.environment);
    const found = await impact({ onProgress: (one) => progress.push(one) });
    expect(found.events).toBe(own.length);
    expect(found.total.newlyDenied).toEqual({ value: bots(own) });
    expect(found).not.toHaveProperty("sample");
    expect(progress).toHaveLength(own.length);
    expect(progress.at(-1)?.events).toBe(own.length);
    expect(progress.at(-1)?.share).toBeGreaterThan(0.99);
    const shares = progress.map(({ share }) => share);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it("counts another environment, or all environments", async () => {
    const other = ofEnvironment("ae_other");
    const found = await impact({ environment: "ae_other" });
    expect(found.total.newlyDenied.value).toBe(bots(other));
    const all = await impact({ environment: undefined });
    expect(all.events).toBe(COUNT);
  });
});

describe("a sample of the service's events", () => {
  it("estimates the figures of all events", async () => {
    const random = new SeededRandom(3);
    const progress: ReplayProgress[] = [];
    const own = ofEnvironment(workspace.environment);
    const found = await impact({
      sample: 400,
      random: () => random.next(),
      onProgress: (one) => progress.push(one),
    });
    expect(found.events).toBeLessThan(own.length / 2);
    expect(progress).toHaveLength(found.events);
    const { value, low = NaN, high = NaN } = found.total.newlyDenied;
    expect(low).toBeLessThan(value);
    expect(low).toBeLessThanOrEqual(bots(own));
    expect(high).toBeGreaterThanOrEqual(bots(own));
    expect(found.sample?.of.low).toBeLessThanOrEqual(own.length);
    expect(found.sample?.of.high).toBeGreaterThanOrEqual(own.length);
  });

  it.each([
    ...[99, 0, -1, 100.5].map((sample) => ({ sample })),
    ...[0, -1, NaN].map((withinMs) => ({ withinMs })),
  ])("of a size or time like %j is refused", async (size) => {
    const before = (await workspace.requests()).length;
    const error = await rejection(impact(size));
    expect(error.name).toBe("InvalidInputError");
    expect(error.message).toMatch(
      /sample: must be a whole number|withinMs: must be a number of milliseconds/,
    );
    expect((await workspace.requests()).length).toBe(before);
  });

  it("aborts its other calls when a slice fails", async () => {
    let calls = 0;
    const onRequest = () => (calls += 1);
    const refused = {
      status: 403,
      body: { error: { code: "x", message: "" } },
    };
    let isRefused: Promise<void> | undefined;
    const error = await rejection(
      impact({
        sample: 1_500,
        client: workspace.client({ onRequest }),
        onProgress: () => {
          isRefused ??= workspace.fault({
            match: { path: "/us/v4/events" },
            times: 1,
            then: refused,
          });
        },
      }),
    );
    expect(error.name).toBe("ForbiddenError");
    await isRefused;
    const before = calls;
    // Enough time for many calls.
    for (let n = 0; n < 30; n++) await workspace.requests();
    expect(calls).toBeLessThanOrEqual(before + 8);
  });
});

describe("a sample for a time", () => {
  const within = (withinMs: number, client = workspace.client()) => {
    const random = new SeededRandom(5);
    return impact({ withinMs, client, random: () => random.next() });
  };

  it("says what part was read when the time is over, with bounds", async () => {
    const own = ofEnvironment(workspace.environment);
    const found = await within(1);
    expect(found.events).toBeGreaterThan(0);
    expect(found.events).toBeLessThan(own.length);
    const { low = NaN, high = NaN } = found.total.newlyDenied;
    expect(low).toBeLessThanOrEqual(bots(own));
    expect(high).toBeGreaterThanOrEqual(bots(own));
    expect(found.sample?.of.high).toBeGreaterThanOrEqual(own.length);
  });

  it("counts and reads few events with two calls, and needs one without a sample or a time", async () => {
    let calls = 0;
    const client = workspace.client({ onRequest: () => (calls += 1) });
    const few = { start: start + 12 * HOUR, end: start + 12.2 * HOUR, client };
    const { events: all } = await impact({ ...few, withinMs: 60_000 });
    expect(all).toBeGreaterThan(0);
    expect(calls).toBe(2);
    expect((await impact(few)).events).toBe(all);
    expect(calls).toBe(3);
  });
});

it("ends when the signal aborts", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  for (const sample of [undefined, 400])
    await expect(
      impact({
        sample,
        signal: stop.signal,
        onProgress: () => stop.abort(reason),
      }),
    ).rejects.toBe(reason);
});

it("reports how far back a workspace keeps events", async () => {
  const error = await rejection(impact({ start: end - 100 * 24 * HOUR }));
  expect(error.name).toBe("ValidationError");
  expect(error.message).toContain("more than 90 days ago");
});
