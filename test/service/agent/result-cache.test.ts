import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { resultCache as cacheOf } from "../../../service/agent/result-cache";
import { checkCache, type CacheOptions } from "../../../service/agent/options";

const ANSWER = { event_id: "e", visitor_id: "v", storage_id: "s" };
const HOUR = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The cache of an agent that was started with these options. */
function resultCache(cache: CacheOptions, name: string) {
  const checked = checkCache(cache);
  if (!checked) throw new Error("No cache was asked for.");
  return cacheOf(checked, name);
}

/** A browser store that holds texts. */
function textStore(): Pick<Storage, "getItem" | "setItem"> {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  };
}

describe("resultCache", () => {
  it.each([
    // contract: agent-23
    ["optimize-cost", HOUR],
    // contract: agent-23
    ["aggressive", 12 * HOUR],
    [90, 90_000],
    [43_200, 12 * HOUR],
    [0.5, 500],
  ] as const)("keeps an answer for %s", (duration, ms) => {
    const cache = resultCache({ duration }, "name");
    expect(cache.read()).toBeUndefined();
    cache.write(ANSWER);
    vi.advanceTimersByTime(ms - 1);
    expect(cache.read()).toEqual(ANSWER);
    vi.advanceTimersByTime(1);
    expect(cache.read()).toBeUndefined();
  });

  it("ignores an answer from the future", () => {
    const cache = resultCache({ duration: 60 }, "name");
    cache.write(ANSWER);
    vi.setSystemTime(Date.now() - 1);
    expect(cache.read()).toBeUndefined();
  });

  // contract: agent-22
  it("in memory is lost with the agent", () => {
    resultCache({ duration: 60 }, "name").write(ANSWER);
    expect(resultCache({ duration: 60 }, "name").read()).toBeUndefined();
  });

  it.each(["localStorage", "sessionStorage"] as const)(
    "in %s survives the agent, under its own name",
    (storage) => {
      vi.stubGlobal(storage, textStore());
      resultCache({ storage, duration: 60 }, "name").write(ANSWER);
      const read = (name: string) =>
        resultCache({ storage, duration: 60 }, name).read();
      expect(read("name")).toEqual(ANSWER);
      expect(read("another")).toBeUndefined();
    },
  );

  it.each(["", "{", "null", "[]", '{"at":0}', '{"at":9e15,"answer":{}}'])(
    "is empty if the store contains %j",
    (text) => {
      vi.stubGlobal("localStorage", { getItem: () => text });
      const cache = resultCache({ storage: "localStorage", duration: 60 }, "n");
      expect(cache.read()).toBeUndefined();
    },
  );

  it("is empty if the stored answer is invalid", () => {
    const text = JSON.stringify({ at: Date.now(), answer: { event_id: 7 } });
    vi.stubGlobal("localStorage", { getItem: () => text });
    const cache = resultCache({ storage: "localStorage", duration: 60 }, "n");
    expect(cache.read()).toBeUndefined();
  });

  it("is empty if the browser has no store, or the store throws", () => {
    const full = () => {
      throw new Error("QuotaExceededError");
    };
    for (const store of [undefined, { getItem: full, setItem: full }]) {
      vi.stubGlobal("sessionStorage", store);
      const cache = resultCache(
        { storage: "sessionStorage", duration: 1 },
        "n",
      );
      cache.write(ANSWER);
      expect(cache.read()).toBeUndefined();
    }
  });

  it.each([
    {},
    null,
    true,
    { duration: 0 },
    { duration: -1 },
    // contract: agent-23
    { duration: 43_201 },
    { duration: NaN },
    { duration: "60" },
    { duration: "forever" },
    // contract: agent-22
    { duration: 60, storage: "cookie" },
    { duration: 60, storage: null },
    { duration: 60, cachePrefix: 7 },
    { duration: 60, prefix: "shop:" },
  ])("refuses %j", (options) => {
    expect(() => resultCache(options as CacheOptions, "name")).toThrow(
      expect.objectContaining({
        name: "FingerprintError",
        code: "cache_misconfigured",
      }),
    );
  });
});
