import { afterEach, expect, it, vi } from "vitest";
import { launchBrowser } from "../helpers/browser";

afterEach(() => void vi.unstubAllEnvs());

it("fails where there is no Chromium, and says how to get one", async () => {
  vi.stubEnv("DEVID_CHROMIUM", "");
  vi.stubEnv("PATH", "/nonexistent");
  await expect(launchBrowser()).rejects.toThrow(
    /^The browser tests need Chromium, .* Install it \(apt-get install chromium\)/,
  );
});
