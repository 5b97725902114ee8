import { isIP } from "node:net";
import type { Event } from "@devid/sdk";
import { originOf, type Region } from "@devid/sdk/wire";
import { RawDeviceAttributes } from "@devid/sdk/wire/events";
import { newEventId } from "../identity";
import type { Store } from "../store/store";
import { placeOfAddress } from "./place-of-address";
import { botSignals, browserDetails } from "./user-agent";
import { headerOf, type Visit } from "./visit";

/** When and where a visit took place, and the visitor. */
interface Occasion {
  readonly workspace: Region;
  readonly environment: string;
  readonly nowMs: number;
  readonly identification: Event["identification"];
  readonly highRecall: Event["supplementary_id_high_recall"];
}

/**
 * Makes the event of a visit from everything that the service knows about it
 * (docs/contract.md, "Event record"). A member that the service cannot know is
 * absent.
 */
export function eventOfVisit(
  { events }: Store,
  visit: Visit,
  { workspace, environment, nowMs, identification, highRecall }: Occasion,
): Event {
  const { sent, eventMembers } = visit;
  const event: Event = present({
    event_id: newEventId(nowMs),
    timestamp: nowMs,
    source: "device",
    environment_id: environment,
    linked_id: sent.linked_id,
    tags: sent.tag,
    sdk: sent.sdk,
    identification,
    supplementary_id_high_recall: highRecall,
    url: sent.url,
    origin: pageOrigin(visit),
    client_referrer: sent.client_referrer,
    ip_address: visit.ip,
    ip_info: ipInfo(visit.ip),
    user_agent: headerOf(visit, "User-Agent"),
    raw_device_attributes: rawAttributes(visit),
    ...(sent.sdk.platform === "js" && browserSignals(visit)),
    ...eventMembers,
  });
  const velocity = events.velocity(workspace, event);
  return { velocity, suspect_score: suspectScore(event), ...event };
}

/**
 * Signals from the user agent. Only those of browsers count: an app sends the
 * user agent of its HTTP library.
 */
function browserSignals(visit: Visit): Partial<Event> {
  const userAgent = headerOf(visit, "User-Agent");
  return {
    browser_details: browserDetails(userAgent),
    ...botSignals(userAgent, visit.sent.signals["webdriver"]),
  };
}

/**
 * The origin that the browser sends. No page can forge it, and the rules see it. Every
 * browser sends this header; for another client, the origin of the `url`
 * (docs/assumptions.md, A165).
 */
function pageOrigin(visit: Visit): string | undefined {
  const origin = headerOf(visit, "Origin");
  if (origin === undefined) return originOf({ url: visit.sent.url });
  // A sandboxed frame and a file send the origin "null".
  return /^https?:/i.test(origin) ? origin : undefined;
}

function ipInfo(ip: string | undefined): Event["ip_info"] {
  if (ip === undefined) return undefined;
  const geolocation = placeOfAddress(ip);
  const info = { address: ip, ...(geolocation && { geolocation }) };
  return isIP(ip) === 6 ? { v6: info } : { v4: info };
}

/** The object without the members that are undefined. */
function present<T extends object>(members: T): T {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as T;
}

/**
 * The signals for which an event has a member, if they have the right form. A
 * page can send anything.
 */
function rawAttributes({
  sent: { signals, timezone },
}: Visit): Event["raw_device_attributes"] {
  const all: Readonly<Record<string, unknown>> =
    timezone === undefined ? signals : { timezone, ...signals };
  const known = RAW_ATTRIBUTES.flatMap(([name, schema]) =>
    Object.hasOwn(all, name) && schema.safeParse(all[name]).success
      ? [[name, all[name]] as const]
      : [],
  );
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

const RAW_ATTRIBUTES = Object.entries(RawDeviceAttributes.shape);

/**
 * What each signal adds to the score when it is true; the numbers are our own
 * choice (docs/assumptions.md, A164).
 */
const WEIGHTS = {
  cloned_app: 5,
  developer_tools: 2,
  emulator: 8,
  frida: 8,
  high_activity_device: 5,
  incognito: 2,
  jailbroken: 5,
  location_spoofing: 8,
  mitm_attack: 8,
  privacy_settings: 2,
  proxy: 5,
  rare_device: 2,
  root_apps: 5,
  simulator: 8,
  tampering: 10,
  virtual_machine: 5,
  vpn: 5,
} as const satisfies Partial<Record<keyof Event, number>>;

const BAD_BOT = 20;

/** The weighted sum of the signals of an event. */
export function suspectScore(event: Partial<Event>): number {
  return Object.entries(WEIGHTS).reduce(
    (sum, [signal, weight]) => (event[signal] === true ? sum + weight : sum),
    event.bot === "bad" ? BAD_BOT : 0,
  );
}
