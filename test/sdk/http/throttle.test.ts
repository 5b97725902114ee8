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

describe("a throttle", () => {
  it("lets a burst through, then as many calls a second as its rate", async () => {
    const at = watch(new Throttle(4, 2, now), 6);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at).toEqual([0, 0, 250, 500, 750, 1_000]);
  });

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

  it("saves at most a burst while there are no calls", async () => {
    const throttle = new Throttle(4, 2, now);
    await vi.advanceTimersByTimeAsync(60_000);
    const at = watch(throttle, 4);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at).toEqual([60_000, 60_000, 60_250, 60_500]);
  });

  it("keeps the order of calls", async () => {
    const throttle = new Throttle(4, 1, now);
    const order: string[] = [];
    for (const name of ["a", "b", "c", "d"])
      void throttle.take().then(() => order.push(`${name} ${now()}`));
    await vi.advanceTimersByTimeAsync(300);
    void throttle.take().then(() => order.push(`late ${now()}`));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(order).toEqual(["a 0", "b 250", "c 500", "d 750", "late 1000"]);
  });

  it("lets repeated calls through first, in their order", async () => {
    const throttle = new Throttle(4, 1, now);
    const order: string[] = [];
    const take = (name: string, isRepeated: boolean) =>
      void throttle
        .take(undefined, isRepeated)
        .then(() => order.push(`${name} ${now()}`));
    for (const name of ["a", "b", "c"]) take(name, false);
    await vi.advanceTimersByTimeAsync(100);
    take("again 1", true);
    take("again 2", true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(order).toEqual([
      "a 0",
      "again 1 250",
      "again 2 500",
      "b 750",
      "c 1000",
    ]);
  });

  it("keeps no timer for aborted callers", async () => {
    const throttle = new Throttle(0.001, 1, now);
    await throttle.take();
    const controller = new AbortController();
    const left = throttle.take(controller.signal).catch(() => "left");
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    expect(await left).toBe("left");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("delays all callers after a drain", async () => {
    const throttle = new Throttle(4, 2, now);
    throttle.drain(3_000);
    const at = watch(throttle, 3);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at).toEqual([3_000, 3_250, 3_500]);
  });

  it("delays callers that already wait", async () => {
    const throttle = new Throttle(4, 1, now);
    const at = watch(throttle, 3);
    await vi.advanceTimersByTimeAsync(100);
    throttle.drain(1_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at).toEqual([0, 1_100, 1_350]);
  });

  it("does not let calls through earlier after a drain that is shorter than the wait", async () => {
    const throttle = new Throttle(4, 1, now);
    const at = watch(throttle, 2);
    await vi.advanceTimersByTimeAsync(0);
    throttle.drain(2_000);
    throttle.drain(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at).toEqual([0, 2_000]);
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

describe("an aborted caller", () => {
  const REASON = new Error("changed my mind");

  it("gets the reason if it was aborted before, and takes no turn", async () => {
    const throttle = new Throttle(4, 1, now);
    await expect(throttle.take(AbortSignal.abort(REASON))).rejects.toBe(REASON);
    const at = watch(throttle, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(at).toEqual([0]);
  });

  it.each([
    ["next in line", 1],
    ["far behind", 20],
  ])("gets the reason at once if it is %s", async (_, before) => {
    const throttle = new Throttle(1, 1, now);
    watch(throttle, before);
    const controller = new AbortController();
    const rejected = throttle
      .take(controller.signal)
      .catch((error: unknown) => {
        expect(now()).toBe(100);
        return error;
      });
    await vi.advanceTimersByTimeAsync(100);
    controller.abort(REASON);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await rejected).toBe(REASON);
  });

  it("does not delay the queue behind it", async () => {
    const throttle = new Throttle(1, 1, now);
    const controller = new AbortController();
    await throttle.take();
    const aborted = [0, 1].map(() =>
      throttle.take(controller.signal).catch((error: unknown) => error),
    );
    const at = watch(throttle, 2);
    await vi.advanceTimersByTimeAsync(300);
    controller.abort(REASON);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(aborted)).toEqual([REASON, REASON]);
    expect(at).toEqual([1_000, 2_000]);
  });

  it("leaves no listener on its signal after its turn", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const throttle = new Throttle(1, 1, now);
    const taken = Promise.all([throttle.take(signal), throttle.take(signal)]);
    await vi.advanceTimersByTimeAsync(2_000);
    await taken;
    await vi.advanceTimersByTimeAsync(0);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});

describe("throttleFor", () => {
  const url = "http://127.0.0.1:1/management";
  const key = new Credential("shared-key");

  it("shares one throttle for the same key and surface", () => {
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
});
