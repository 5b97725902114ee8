import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { foregroundDeadline } from "../../../service/agent/foreground-deadline";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Page extends EventTarget {
  visibilityState: "visible" | "hidden" = "visible";

  turn(visibilityState: "visible" | "hidden"): void {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

describe("foregroundDeadline", () => {
  it("aborts when the time is over, and not before", () => {
    const { signal } = foregroundDeadline(1_000, new Page());
    vi.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  // contract: agent-31
  it("pauses each time the page is in the background", () => {
    const page = new Page();
    const { signal } = foregroundDeadline(1_000, page);
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(300);
      page.turn("hidden");
      vi.advanceTimersByTime(60_000);
      page.turn("visible");
    }
    vi.advanceTimersByTime(99);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  it("counts time in the background once, even after two events", () => {
    const page = new Page();
    const { signal } = foregroundDeadline(1_000, page);
    vi.advanceTimersByTime(400);
    page.turn("hidden");
    vi.advanceTimersByTime(5_000);
    page.turn("hidden");
    page.turn("visible");
    page.turn("visible");
    vi.advanceTimersByTime(599);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  it("starts when the page becomes visible", () => {
    const page = new Page();
    page.visibilityState = "hidden";
    const { signal } = foregroundDeadline(1_000, page);
    vi.advanceTimersByTime(60_000);
    page.turn("visible");
    vi.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  it.each(["visible", "hidden"] as const)(
    "leaves no timer after a release while %s",
    (state) => {
      const page = new Page();
      const deadline = foregroundDeadline(1_000, page);
      page.turn(state);
      deadline.release();
      page.turn("visible");
      expect(vi.getTimerCount()).toBe(0);
      expect(deadline.signal.aborted).toBe(false);
    },
  );
});
