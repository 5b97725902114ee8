import type { IdentificationAnswer } from "./wire";
import { FingerprintError } from "./fingerprint-error";
import { parseAnswer } from "./parse-answer";
import type { CacheOptions } from "./start-options";

/** Longest time that an answer is used again: 12 hours (docs/contract.md, "start()"). */
const MAX_SECONDS = 43_200;

/** Keeps the last answer for a while. */
export interface ResultCache {
  /** The answer that is kept; undefined where there is none, or it is too old. */
  read(): IdentificationAnswer | undefined;
  write(answer: IdentificationAnswer): void;
}

type TextStore = Pick<Storage, "getItem" | "setItem">;

/**
 * Makes the cache that `options` ask for, with one answer under `name`
 * (docs/assumptions.md, A73). A browser store that is full, forbidden or holds
 * something else makes it a cache that is always empty. Throws FingerprintError
 * `cache_misconfigured`.
 */
export function resultCache(options: CacheOptions, name: string): ResultCache {
  const { storage, durationMs } = checked(options);
  const inMemory = memory();
  const store = () => (storage === "agent" ? inMemory : globalThis[storage]);
  return {
    read: () => {
      try {
        const { at, answer } = JSON.parse(store().getItem(name) ?? "{}") as {
          at?: unknown;
          answer?: unknown;
        };
        // An age below 0 is that of a clock which was set back.
        const age = typeof at === "number" ? Date.now() - at : -1;
        return age >= 0 && age < durationMs ? parseAnswer(answer) : undefined;
      } catch {
        return undefined;
      }
    },
    write: (answer) => {
      try {
        store().setItem(name, JSON.stringify({ at: Date.now(), answer }));
      } catch {
        // The next call asks the service again.
      }
    },
  };
}

function checked(options: unknown) {
  const {
    storage = "agent",
    duration,
    cachePrefix,
  } = typeof options === "object" && options !== null
    ? (options as Partial<CacheOptions>)
    : {};
  const seconds = secondsOf(duration);
  if (!["sessionStorage", "localStorage", "agent"].includes(storage))
    throw misconfigured(
      "cache.storage has to be sessionStorage, localStorage or agent",
    );
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw misconfigured(
      `cache.duration has to be optimize-cost, aggressive, or seconds above 0 and at most ${MAX_SECONDS}`,
    );
  if (cachePrefix !== undefined && typeof cachePrefix !== "string")
    throw misconfigured("cache.cachePrefix has to be a text");
  return { storage, durationMs: seconds * 1_000 };
}

function secondsOf(duration: CacheOptions["duration"] | undefined): number {
  switch (duration) {
    case "optimize-cost":
      return 3_600;
    case "aggressive":
      return MAX_SECONDS;
    default:
      return typeof duration === "number" ? duration : NaN;
  }
}

function misconfigured(rule: string): FingerprintError {
  return new FingerprintError("cache_misconfigured", `${rule}.`);
}

function memory(): TextStore {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  };
}
