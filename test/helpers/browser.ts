import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { inject } from "vitest";

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

declare module "vitest" {
  export interface ProvidedContext {
    /** How a Chromium is started, if this machine has one. */
    readonly chromium: Chromium | undefined;
  }
}

interface Chromium {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How Chromium is started. Tests that need it have the tag `chromium`. */
function launchOptions() {
  const chromium = inject("chromium");
  if (!chromium)
    throw new Error("A test that starts a browser needs the tag `chromium`.");
  const env = { ...process.env, ...chromium.env } as Record<string, string>;
  return { executablePath: chromium.path, env, args: FLAGS };
}

/** Starts a headless Chromium that can reach only this machine. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/**
 * Starts a headless Chromium as a person starts it: with a profile that its
 * windows share, and with the screen of the machine. A context that
 * `newContext({ viewport: null })` of its browser makes is a private window.
 */
export async function launchProfile(): Promise<BrowserContext> {
  return chromium.launchPersistentContext("", {
    ...launchOptions(),
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
