import { createHash } from "node:crypto";
import { browserDetails } from "./browser-details";
import { headerOf, type Visit } from "./visit";

/** Signals that change while the device stays the same: with its battery, the season, a setting. */
const FLEETING: readonly string[] = [
  "battery_charging",
  "battery_level",
  "battery_low_power_mode",
  "cookies_enabled",
  "indexed_db",
  "local_storage",
  "session_storage",
  "timezone_offset",
  "webdriver",
];

/**
 * A text that is the same whenever the same device calls: made of the signals
 * that the agent sent and the name of the browser, or, where it sent none, of
 * what the request itself shows (docs/assumptions.md, A161). Undefined where
 * that is nothing.
 */
export function deviceOf(visit: Visit): string | undefined {
  const { platform } = visit.sent.sdk;
  const userAgent = headerOf(visit, "User-Agent");
  const signals = Object.entries(visit.sent.signals)
    .filter(([name]) => !FLEETING.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (signals.length > 0) {
    const browser = browserDetails(userAgent)?.browser_name;
    return digest([platform, browser, signals]);
  }
  return userAgent === undefined
    ? undefined
    : digest([platform, userAgent, visit.ip]);
}

function digest(traces: unknown): string {
  return createHash("sha256").update(JSON.stringify(traces)).digest("hex");
}
