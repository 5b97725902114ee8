import { createHash } from "node:crypto";
import type { Event, Region } from "@devid/sdk";
import { newStorageId } from "../identity";
import type { Settings } from "../server-api/settings";
import type { Visitors } from "../store/records/visitors";
import { browserDetails } from "./browser-details";
import { headerOf, type Visit } from "./visit";

/**
 * The visitor ID of every answer while identification is switched off
 * (docs/assumptions.md, A76).
 */
const DUMMY_VISITOR_ID = "n/a";

/** The visitor of a visit. */
export interface Recognised {
  /**
   * Undefined where the visitor is unknown, or identification is switched off.
   */
  readonly identification: Event["identification"];
  /** The visitor ID for the agent; empty where the visitor is unknown. */
  readonly visitorId: string;
  /** The ID that the browser is to keep. */
  readonly storageId: string;
}

/**
 * Finds the visitor by the ID that the browser kept, or else by the device, or
 * else adds a new visitor (docs/assumptions.md, A161). Stores the time of the
 * visit.
 */
export function recognise(
  visitors: Visitors,
  workspace: Region,
  visit: Visit,
  { identification: isOn }: Settings,
  nowMs: number,
): Recognised {
  const { storage_id: storageId } = visit.sent;
  const device = deviceOf(visit);
  const nobody = (visitorId: string): Recognised => ({
    identification: undefined,
    visitorId,
    storageId: storageId ?? newStorageId(),
  });
  if (!isOn) return nobody(DUMMY_VISITOR_ID);
  const found = visitors.find(workspace, { storageId, device });
  if (!found && device === undefined) return nobody("");
  const visitor = found ?? visitors.add(workspace, device, nowMs);
  if (found) visitors.seen(found.seq, device, nowMs);
  return {
    identification: {
      visitor_id: visitor.visitor_id,
      visitor_found: found !== undefined,
      first_seen_at: visitor.first_seen_at,
      last_seen_at: visitor.last_seen_at,
    },
    visitorId: visitor.visitor_id,
    storageId: visitor.storage_id,
  };
}

/**
 * Signals that may change while the device stays the same, for example with its
 * battery, the season, a setting or a private window.
 */
const FLEETING: readonly string[] = [
  "battery_charging",
  "battery_level",
  "battery_low_power_mode",
  "cookies_enabled",
  "indexed_db",
  // A private window may name fewer of them.
  "languages",
  "local_storage",
  "session_storage",
  "timezone_offset",
  "webdriver",
];

/**
 * A digest that is the same for every visit of a device. It is made of the
 * agent's signals and the name of the browser, or, without signals, of the
 * request itself (docs/assumptions.md, A161). Undefined where there is nothing
 * to make it of.
 */
function deviceOf(visit: Visit): string | undefined {
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
