import type { CheckedCacheOptions } from "./options";
import { parseAnswer, type IdentificationAnswer } from "./wire";

/** Keeps the last answer for a while. */
export interface ResultCache {
  /** The kept answer; undefined if there is none, or if it is too old. */
  read(): IdentificationAnswer | undefined;
  write(answer: IdentificationAnswer): void;
}

type TextStore = Pick<Storage, "getItem" | "setItem">;

/**
 * Makes a cache for one answer, which is kept under `name` (docs/assumptions.md, A73).
 * If the browser's storage is full or forbidden, or holds other data under this name,
 * the cache is empty.
 */
export function resultCache(
  { storage, durationMs }: CheckedCacheOptions,
  name: string,
): ResultCache {
  const inMemory = memory();
  const store = () => (storage === "agent" ? inMemory : globalThis[storage]);
  return {
    read: () => {
      try {
        const { at, answer } = JSON.parse(store().getItem(name) ?? "{}") as {
          at?: unknown;
          answer?: unknown;
        };
        // An age below 0 comes from a clock that was set back.
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

function memory(): TextStore {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  };
}
