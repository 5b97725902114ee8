import { afterEach, vi } from "vitest";

// What a test puts in place of a function, a variable of the environment or a global ends with it.
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
