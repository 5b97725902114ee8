import { isIP } from "node:net";
import { originOf, type Event, type Region } from "@devid/sdk";
import { newEventId } from "../store/identity";
import type { Store } from "../store/store";
import { botSignals } from "./bot-signals";
import { browserDetails } from "./browser-details";
import { rawAttributes } from "./raw-attributes";
import { suspectScore } from "./suspect-score";
import { velocityOf } from "./velocity-of";
import { headerOf, type Visit } from "./visit";

/** Where and when a visit was, and whose. */
export interface Occasion {
  readonly workspace: Region;
  readonly environment: string;
  readonly nowMs: number;
  readonly identification: Event["identification"];
}

/**
 * The event of a visit, with all that the service knows of it and nothing else
 * (docs/contract.md, "Event record"): a member that it cannot tell is absent.
 */
export function eventOfVisit(
  { events }: Store,
  visit: Visit,
  { workspace, environment, nowMs, identification }: Occasion,
): Event {
  const { sent, told } = visit;
  const event: Event = present({
    event_id: newEventId(nowMs),
    timestamp: nowMs,
    source: "device",
    environment_id: environment,
    linked_id: sent.linked_id,
    tags: sent.tag,
    sdk: sent.sdk,
    identification,
    url: sent.url,
    origin: pageOrigin(visit),
    client_referrer: sent.client_referrer,
    ip_address: visit.ip,
    ip_info: ipInfo(visit.ip),
    user_agent: headerOf(visit, "User-Agent"),
    raw_device_attributes: rawAttributes(visit),
    ...(sent.sdk.platform === "js" && browserSignals(visit)),
    ...told,
  });
  const velocity = velocityOf(events, workspace, event);
  return { velocity, suspect_score: suspectScore(event), ...event };
}

/** What a user agent tells; that of an app is the one of its HTTP library. */
function browserSignals(visit: Visit): Partial<Event> {
  const userAgent = headerOf(visit, "User-Agent");
  return {
    browser_details: browserDetails(userAgent),
    ...botSignals(userAgent, visit.sent.signals["webdriver"]),
  };
}

/** The origin that the browser tells, which a page cannot choose, else that of the page's address. */
function pageOrigin(visit: Visit): string | undefined {
  const origin = headerOf(visit, "Origin");
  // A sandboxed frame and a file have the origin "null".
  if (origin !== undefined && /^https?:/i.test(origin)) return origin;
  return originOf({ url: visit.sent.url });
}

function ipInfo(ip: string | undefined): Event["ip_info"] {
  if (ip === undefined) return undefined;
  return isIP(ip) === 6 ? { v6: { address: ip } } : { v4: { address: ip } };
}

/** Without the members that are undefined. */
function present<T extends object>(members: T): T {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as T;
}
