import { vi } from "vitest";

/**
 * Makes every look at the processor's clock see it this much later, so that
 * limits end without any work. The test restores all mocks.
 */
export function hurryProcessorTime(everyLookMs: number): void {
  let user = 0;
  vi.spyOn(process, "cpuUsage").mockImplementation(() => {
    user += everyLookMs * 1_000;
    return { user, system: 0 };
  });
}
