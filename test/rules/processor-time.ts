import { vi } from "vitest";

/**
 * Makes each reading of the processor's clock this much later, so that limits end
 * without work. The test must restore all mocks.
 */
export function hurryProcessorTime(everyLookMs: number): void {
  let user = 0;
  vi.spyOn(process, "cpuUsage").mockImplementation(() => {
    user += everyLookMs * 1_000;
    return { user, system: 0 };
  });
  // The processor's clock is read only after some time.
  let seconds = process.uptime();
  vi.spyOn(process, "uptime").mockImplementation(
    () => (seconds += everyLookMs / 1_000),
  );
}
