import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withProgress } from "../../../cli/src/output/progress";

let written = "";

// A bar is shown on a terminal only.
beforeEach(() => {
  written = "";
  vi.useFakeTimers();
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
  Object.defineProperty(process.stderr, "isTTY", {
    ...{ value: true, configurable: true },
  });
});

afterEach(() => {
  Reflect.deleteProperty(process.stderr, "isTTY");
  vi.useRealTimers();
});

it.each(["events", "queries", "tests"] as const)(
  "shows no bar of %s again, and keeps no process, when work that has failed still reports",
  async (words) => {
    let report = () => {};
    const work = withProgress(words, ({ onProgress }) => {
      report = () => onProgress({ share: 0.5, events: 5, done: 1, all: 2 });
      report();
      return Promise.reject(new Error("The service is gone."));
    });
    await expect(work).rejects.toThrow("The service is gone.");
    expect(written).not.toBe("");
    written = "";
    report();
    expect({ written, timers: vi.getTimerCount() }).toEqual({
      written: "",
      timers: 0,
    });
  },
);
