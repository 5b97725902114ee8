import { createHash } from "node:crypto";
import type { Event, Region } from "@devid/sdk";
import { newStorageId } from "../identity";
import type { Settings } from "../workspace/settings";
import type { VisitorRow } from "../store/visitors";
import type { Store } from "../store/store";
import { browserDetails } from "./user-agent";
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
  /** The High Recall ID; undefined also for an app. */
  readonly highRecall: Event["supplementary_id_high_recall"];
  /** The visitor ID for the agent; empty where the visitor is unknown. */
  readonly visitorId: string;
  /** The ID that the browser is to keep. */
  readonly storageId: string;
}

/**
 * Finds the visitor by the ID that the browser kept, then by the device. Adds a new
 * visitor when neither is known (docs/assumptions.md, A161). A visitor with a browser
 * also has a High Recall ID. Stores the time of the visit.
 */
export function recognise(
  { visitors }: Pick<Store, "visitors">,
  workspace: Region,
  visit: Visit,
  { identification: isOn }: Settings,
  nowMs: number,
): Recognised {
  const { storage_id: storageId } = visit.sent;
  const device = deviceOf(visit);
  const nobody = (visitorId: string): Recognised => ({
    identification: undefined,
    highRecall: undefined,
    visitorId,
    storageId: storageId ?? newStorageId(),
  });
  if (!isOn) return nobody(DUMMY_VISITOR_ID);
  const found = visitors.find(workspace, { storageId, device });
  if (!found && device === undefined) return nobody("");
  const visitor = found ?? visitors.add(workspace, device, nowMs);
  if (found) visitors.seen(found, device, nowMs);
  return {
    identification: Object.assign(identified(visitor, found !== undefined), {
      confidence: confidenceIn(visitor, visit, device),
    }),
    highRecall: recall(visitors, visit, visitor, nowMs),
    visitorId: visitor.visitor_id,
    storageId: visitor.storage_id,
  };
}

/**
 * The confidence that the visit is one of this visitor: the share of the
 * distinguishing signals that agree (docs/assumptions.md, A167). The ID that the
 * browser kept counts as much as all signals of the agent; a device that is known from
 * the request headers alone counts half of that.
 */
function confidenceIn(
  { storage_id, device: known }: VisitorRow,
  { sent }: Visit,
  device: string | undefined,
): NonNullable<Event["identification"]>["confidence"] {
  const ofDevice = Object.keys(sent.signals).length > 0 ? 0.5 : 0.25;
  const score =
    (sent.storage_id === storage_id ? 0.5 : 0) +
    (device !== undefined && device === known ? ofDevice : 0);
  return { score, version: "local" };
}

/** The High Recall ID of a visitor's browser (docs/assumptions.md, A166). */
function recall(
  visitors: Store["visitors"],
  visit: Visit,
  visitor: VisitorRow,
  nowMs: number,
): Event["supplementary_id_high_recall"] {
  // Only browsers have this ID.
  if (visit.sent.sdk.platform !== "js") return undefined;
  const found = visitors.recall(visitor, browserTrace(visit), nowMs);
  return identified(found, found.isKnown);
}

function identified(
  {
    visitor_id,
    first_seen_at,
    last_seen_at,
  }: Pick<VisitorRow, "visitor_id" | "first_seen_at" | "last_seen_at">,
  visitor_found: boolean,
) {
  return { visitor_id, visitor_found, first_seen_at, last_seen_at };
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
  const signals = signalsOf(visit, FLEETING);
  if (signals.length > 0) {
    const browser = browserDetails(userAgent)?.browser_name;
    return digest([platform, browser, signals]);
  }
  return userAgent === undefined
    ? undefined
    : digest([platform, userAgent, visit.ip]);
}

/**
 * Signals that may change while a browser stays the same, for example with
 * another screen, place, language, font or driver.
 */
const CHANGING: readonly string[] = [
  ...FLEETING,
  "audio",
  "canvas",
  "color_depth",
  "date_time_locale",
  "emoji",
  "font_hash",
  "font_preferences",
  "fonts",
  "keyboard_layout_hash",
  "keyboard_layout_name",
  "math",
  "plugins",
  "screen_resolution",
  "timezone",
  "webgl_basics",
  "webgl_extensions",
];

/**
 * A digest that is coarser than `deviceOf`. It is made of the names of the browser and
 * its system, and of the few signals that last, or of the address if there are none.
 * Undefined if there is no data.
 */
function browserTrace(visit: Visit): string | undefined {
  const userAgent = headerOf(visit, "User-Agent");
  const browser = browserDetails(userAgent);
  const name = browser ? [browser.browser_name, browser.os] : userAgent;
  const signals = signalsOf(visit, CHANGING);
  if (signals.length > 0) return digest([name, signals]);
  // Without a lasting signal, the name alone would be shared by many browsers.
  const isBare = Object.keys(visit.sent.signals).length === 0;
  return isBare && name ? digest([name, visit.ip]) : deviceOf(visit);
}

/** The signals but those of a list, in the order of their names. */
function signalsOf({ sent }: Visit, without: readonly string[]) {
  return Object.entries(sent.signals)
    .filter(([name]) => !without.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function digest(traces: unknown): string {
  return createHash("sha256").update(JSON.stringify(traces)).digest("hex");
}
