import { getEventListeners } from "node:events";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Credential } from "../../../sdk/src/http/redact";
import { Throttle, throttleFor } from "../../../sdk/src/http/throttle";

let start: number;
const now = () => Date.now() - start;

beforeEach(() => {
  vi.useFakeTimers();
  start = Date.now();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Records when each of a number of calls may go, in milliseconds from the start. */
function watch(throttle: Throttle, count: number): number[] {
  const at: number[] = [];
  for (let i = 0; i < count; i++)
    void throttle.take().then(() => at.push(now()));
  return at;
}

/** What a throttle has to do, in steps of an eighth of a second. */
class Bucket {
  readonly log: string[] = [];
  private at = 0;
  private tokens: number;
  waiting: { id: number; isRepeated: boolean }[] = [];

  constructor(
    private readonly rate: number,
    private readonly burst: number,
  ) {
    this.tokens = burst;
  }

  tick() {
    this.at += 125;
    this.tokens = Math.min(this.burst, this.tokens + this.rate / 8);
    this.serve();
  }

  take(id: number, isRepeated: boolean) {
    this.waiting.push({ id, isRepeated });
    this.serve();
  }

  leave(id: number) {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((caller) => caller.id !== id);
    if (this.waiting.length < before) this.log.push(`${id} leaves ${this.at}`);
  }

  drain(ms: number) {
    this.tokens = Math.min(this.tokens, 1 - (ms / 1000) * this.rate);
  }

  private serve() {
    for (; this.tokens >= 1 && this.waiting[0]; this.tokens -= 1) {
      const next =
        this.waiting.find(({ isRepeated }) => isRepeated) ?? this.waiting[0];
      this.waiting = this.waiting.filter((caller) => caller !== next);
      this.log.push(`${next.id} goes ${this.at}`);
    }
  }
}

describe("a throttle", () => {
  it.each([
    [0.5, [0, 2_000, 4_000, 6_000]],
    [1, [0, 1_000, 2_000, 3_000]],
    [4, [0, 0, 250, 500]],
    [8, [0, 0, 0, 0]],
  ])("of rate %d has a burst of half its rate", async (rate, expected) => {
    const at = watch(new Throttle(rate, undefined, now), 4);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at).toEqual(expected);
  });

  it("lets callers go as a bucket of tokens does, whoever repeats, leaves or drains it", async () => {
    // Multiples of 125 ms and rates that divide 8 make exact numbers of tokens.
    const ms = fc.nat(8).map((n) => n * 125);
    const act = fc.oneof(
      { weight: 2, arbitrary: fc.record({ wait: ms }) },
      { weight: 4, arbitrary: fc.record({ isRepeated: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ leaves: fc.nat(4) }) },
      fc.record({ drainMs: ms }),
    );
    const rates = fc.constantFrom(1, 2, 4, 8);
    await fc.assert(
      fc.asyncProperty(
        rates,
        fc.integer({ min: 1, max: 4 }),
        fc.array(act, { maxLength: 40, size: "max" }),
        async (rate, burst, acts) => {
          const begin = now();
          const throttle = new Throttle(rate, burst, now);
          const model = new Bucket(rate, burst);
          const callers: AbortController[] = [];
          const got: string[] = [];
          const note = (what: string) => got.push(`${what} ${now() - begin}`);
          for (const one of [...acts, { wait: 60_000 }]) {
            if ("wait" in one) {
              await vi.advanceTimersByTimeAsync(one.wait);
              for (let left = one.wait; left > 0; left -= 125) model.tick();
            } else if ("isRepeated" in one) {
              const id = callers.push(new AbortController()) - 1;
              throttle
                .take(callers[id]?.signal, one.isRepeated)
                .then(() => note(`${id} goes`), note);
              model.take(id, one.isRepeated);
            } else if ("leaves" in one) {
              const id = callers.length - one.leaves;
              callers[id]?.abort(`${id} leaves`);
              model.leave(id);
            } else {
              throttle.drain(one.drainMs);
              model.drain(one.drainMs);
            }
            await vi.advanceTimersByTimeAsync(0);
            expect(got).toEqual(model.log);
            expect(vi.getTimerCount()).toBe(Math.min(model.waiting.length, 1));
          }
          expect(model.waiting).toEqual([]);
          for (const { signal } of callers)
            expect(getEventListeners(signal, "abort")).toEqual([]);
        },
      ),
    );
  });
});

describe("the refusals that a throttle counts", () => {
  it("count once for calls sent together, and again for a later call", () => {
    const throttle = new Throttle(4, 4, now);
    vi.advanceTimersByTime(100);
    expect(throttle.refused(0)).toEqual({ count: 1, sinceMs: 0 });
    vi.advanceTimersByTime(10);
    expect(throttle.refused(50)).toEqual({ count: 1, sinceMs: 10 });
    vi.advanceTimersByTime(400);
    expect(throttle.refused(450)).toEqual({ count: 2, sinceMs: 410 });
  });

  it("end with an answer to a call that was sent after them", () => {
    const throttle = new Throttle(4, 4, now);
    vi.advanceTimersByTime(100);
    throttle.refused(90);
    throttle.answered(80);
    vi.advanceTimersByTime(100);
    expect(throttle.refused(190).count).toBe(2);
    throttle.answered(200);
    expect(throttle.refused(200)).toEqual({ count: 1, sinceMs: 0 });
  });

  it("end after a minute without a refusal", () => {
    const throttle = new Throttle(4, 4, now);
    throttle.refused(now());
    vi.advanceTimersByTime(60_001);
    expect(throttle.refused(now())).toEqual({ count: 1, sinceMs: 0 });
  });
});

it("a caller that was aborted before gets the reason, and takes no turn", async () => {
  const throttle = new Throttle(4, 1, now);
  const reason = new Error("changed my mind");
  await expect(throttle.take(AbortSignal.abort(reason))).rejects.toBe(reason);
  const at = watch(throttle, 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(at).toEqual([0]);
});

const url = "http://127.0.0.1:1/management";
const key = new Credential("shared-key");

it("throttleFor shares one throttle for the same key and surface", () => {
  const one = throttleFor("events", url, key, 5);
  const equal = new Credential("shared-key");
  expect(throttleFor("events", "http://127.0.0.1:1", equal, 5)).toBe(one);
  const others = [
    throttleFor("events", url, new Credential("other-key"), 5),
    throttleFor("events", url, undefined, 5),
    throttleFor("drn", url, key, 5),
    throttleFor("events", "http://127.0.0.1:2", key, 5),
    throttleFor("events", url, key, 6),
  ];
  expect(others).not.toContain(one);
});
