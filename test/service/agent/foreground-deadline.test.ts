import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
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

// contract: agent-31
it("a deadline is over when the page was visible for its time, however often it was hidden", () => {
  const state = fc.constantFrom("visible" as const, "hidden" as const);
  const stay = fc.record({ state, ms: fc.integer({ min: 1, max: 600 }) });
  fc.assert(
    fc.property(state, fc.array(stay), (first, stays) => {
      const page = new Page();
      page.visibilityState = first;
      const deadline = foregroundDeadline(1_000, page);
      let seenMs = 0;
      for (const { state, ms } of stays) {
        page.turn(state);
        vi.advanceTimersByTime(ms);
        if (state === "visible") seenMs += ms;
        expect(deadline.signal.aborted).toBe(seenMs >= 1_000);
        expect(deadline.leftMs()).toBeCloseTo(Math.max(0, 1_000 - seenMs), 3);
      }
      deadline.release();
      page.turn("visible");
      expect(vi.getTimerCount()).toBe(0);
    }),
  );
});
