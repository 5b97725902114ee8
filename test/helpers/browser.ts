import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { describe } from "vitest";

/** Keep the browser from everything but this machine. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Path of a Chromium: `DEVID_CHROMIUM`, else one on PATH; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const given = process.env.DEVID_CHROMIUM;
  if (given !== undefined) return given;
  return NAMES.flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  ).find(isExecutable);
}

/** Starts a headless Chromium that reaches nothing but this machine. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS });
}

/** The user agent of the same browser where somebody sits at it: "headless" makes it a bot. */
export function browserUserAgent(browser: Browser): string {
  const [major] = browser.version().split(".");
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}

/** A suite that needs a browser; where there is none it says so, and is skipped. */
export function describeInBrowser(name: string, suite: () => void): void {
  if (findChromium() !== undefined) return void describe(name, suite);
  console.warn(`${name}: skipped: no Chromium (CONTRIBUTING.md, "Set-up")`);
  describe.skip(`${name} (skipped: no Chromium)`, suite);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
