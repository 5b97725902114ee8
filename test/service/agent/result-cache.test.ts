import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkCache, type CacheOptions } from "../../../service/agent/options";
import { resultCache } from "../../../service/agent/result-cache";

const ANSWER = { event_id: "e", visitor_id: "v", storage_id: "s" };
const HOUR = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

/** The cache of an agent that was started with these options. */
const cacheOf = (options: CacheOptions, name = "name") =>
  resultCache(checkCache(options) ?? expect.fail("no cache"), name);

describe("the cache of results", () => {
  it.each([
    // contract: agent-23
    ["optimize-cost", HOUR],
    // contract: agent-23
    ["aggressive", 12 * HOUR],
    [43_200, 12 * HOUR],
    [0.5, 500],
  ] as const)("keeps an answer for %s", (duration, ms) => {
    const cache = cacheOf({ duration });
    expect(cache.read()).toBeUndefined();
    cache.write(ANSWER);
    vi.advanceTimersByTime(ms - 1);
    expect(cache.read()).toEqual(ANSWER);
    vi.advanceTimersByTime(1);
    expect(cache.read()).toBeUndefined();
    // contract: agent-22
    cache.write(ANSWER);
    expect(cacheOf({ duration }).read()).toBeUndefined();
    // An answer from the future.
    vi.setSystemTime(Date.now() - 1);
    expect(cache.read()).toBeUndefined();
  });

  it.each(["localStorage", "sessionStorage"] as const)(
    "in %s survives the agent, under its own name",
    (storage) => {
      const texts = new Map<string, string>();
      vi.stubGlobal(storage, {
        getItem: (name: string) => texts.get(name) ?? null,
        setItem: (name: string, text: string) => void texts.set(name, text),
      });
      const options = { storage, duration: 60 };
      cacheOf(options).write(ANSWER);
      expect(cacheOf(options).read()).toEqual(ANSWER);
      expect(cacheOf(options, "another").read()).toBeUndefined();
    },
  );

  const full = () => {
    throw new Error("QuotaExceededError");
  };
  const holding = (text: string) => ({ getItem: () => text, setItem: full });
  it.each<readonly [what: string, store: object | undefined]>([
    ["no store", undefined],
    ["a store that throws", { getItem: full, setItem: full }],
    ...["", "{", "null", "[]", '{"at":0}', '{"at":9e15,"answer":{}}'].map(
      (text) => [text, holding(text)] as const,
    ),
    [
      "an answer without members",
      holding(JSON.stringify({ at: Date.now(), answer: { event_id: 7 } })),
    ],
  ])("is empty with %s", (_, store) => {
    vi.setSystemTime(Date.now());
    vi.stubGlobal("sessionStorage", store);
    const cache = cacheOf({ storage: "sessionStorage", duration: 43_200 });
    cache.write(ANSWER);
    expect(cache.read()).toBeUndefined();
  });
});
