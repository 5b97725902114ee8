import type { Event } from "@devid/sdk";
import { locationOf } from "./from-address";
import { camelDeep, isoTime } from "./old-names";

/** One visit in the flat shape of `GET /visitors` (docs/contract.md, "Legacy event"). */
export function legacyVisit(event: Event) {
  const { identification, browser_details: browser, timestamp } = event;
  return {
    requestId: event.event_id,
    incognito: event.incognito,
    linkedId: event.linked_id,
    tag: event.tags,
    time: isoTime(timestamp),
    timestamp,
    url: event.url,
    ip: event.ip_address,
    ipLocation: locationOf(event) as Record<string, unknown> | undefined,
    browserDetails: browser && {
      ...(camelDeep(browser) as Record<string, unknown>),
      userAgent: event.user_agent,
    },
    confidence: identification?.confidence,
    visitorFound: identification?.visitor_found,
    firstSeenAt: seenAt(identification?.first_seen_at),
    lastSeenAt: seenAt(identification?.last_seen_at),
  };
}

/** `products.identification.data` of version 3. */
export function legacyIdentification(event: Event) {
  return {
    visitorId: event.identification?.visitor_id,
    ...legacyVisit(event),
    suspect: event.suspect,
    sdk: camelDeep(event.sdk) as Record<string, unknown> | undefined,
    replayed: event.replayed,
  };
}

/** Version 4 tells one time of the two. */
function seenAt(timeMs: number | null | undefined) {
  const subscription = isoTime(timeMs);
  return subscription === undefined
    ? undefined
    : { global: null, subscription };
}
