import { afterEach, beforeEach, vi } from "vitest";

/**
 * For tests of time limits: timers and `performance.now()` stand still while this process does,
 * so that a limit does not end because the machine is busy.
 */
export function useSteadyClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ["setTimeout", "clearTimeout", "performance"],
    });
  });
  afterEach(() => void vi.useRealTimers());
}
