import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser, type BrowserContext } from "playwright-core";

/** Flags that block the browser's access to every other machine. */
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

/**
 * Path of a Chromium: `DEVID_CHROMIUM`, or else one on PATH. Throws if there is
 * none.
 */
function findChromium(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found =
    process.env.DEVID_CHROMIUM ||
    NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
      isExecutable,
    );
  if (found !== undefined) return found;
  throw new Error(
    `The browser tests need Chromium, and PATH has none of ${NAMES.join(", ")}. Install it (apt-get install chromium) or name one in DEVID_CHROMIUM.`,
  );
}

/** Starts a headless Chromium that can reach only this machine. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS });
}

/**
 * Starts a headless Chromium as a person starts it: with a profile that its
 * windows share, and with the screen of the machine. A context that
 * `newContext({ viewport: null })` of its browser makes is a private window.
 */
export async function launchProfile(): Promise<BrowserContext> {
  return chromium.launchPersistentContext("", {
    executablePath: findChromium(),
    args: FLAGS,
    viewport: null,
  });
}

/**
 * The user agent of the same browser with a window. The headless one would
 * count as a bot.
 */
export function browserUserAgent(browser: Browser): string {
  const [major] = browser.version().split(".");
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
