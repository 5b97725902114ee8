import { setImmediate } from "node:timers/promises";
import type { Event } from "@devid/sdk";
import { type Region, REGIONS } from "@devid/sdk/wire";
import { eventConditions } from "../store/event-conditions";
import type { Events } from "../store/events";

/** What the stored events say about an Android device. */
export interface DeviceActivity {
  /** Times of the first and the last event, in Unix milliseconds. */
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** The number of events in the window for each country code. */
  readonly countries: ReadonlyMap<string, number>;
  readonly scores: readonly number[];
}

/** A span of time in Unix milliseconds; both ends belong to it. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Collects what the Android events of a visitor say, in all regions and up to
 * the end of the window. Undefined where there are no such events.
 */
export async function deviceActivity(
  events: Events,
  visitorId: string,
  window: Window,
  signal: AbortSignal,
): Promise<DeviceActivity | undefined> {
  const countries = new Map<string, number>();
  const scores: number[] = [];
  let firstSeenMs = Infinity;
  let lastSeenMs = -Infinity;
  for (const region of REGIONS)
    for (const slice of slices(events, region, visitorId, window.endMs)) {
      for (const { timestamp } of slice) {
        firstSeenMs = Math.min(firstSeenMs, timestamp);
        lastSeenMs = Math.max(lastSeenMs, timestamp);
      }
      const recent = slice.filter((place) => place.timestamp >= window.startMs);
      for (const body of events.bodies(recent)) {
        // A stored event was checked when it was stored.
        const event = JSON.parse(body) as Event;
        const country = countryOf(event);
        if (country !== undefined)
          countries.set(country, (countries.get(country) ?? 0) + 1);
        const { suspect_score: score } = event;
        if (typeof score === "number") scores.push(score);
      }
      // Other requests are answered between two slices.
      await setImmediate();
      signal.throwIfAborted();
    }
  return lastSeenMs === -Infinity
    ? undefined
    : { firstSeenMs, lastSeenMs, countries, scores };
}

function slices(
  events: Events,
  workspace: Region,
  visitorId: string,
  endMs: number,
) {
  return events.walk({
    workspace,
    conditions: eventConditions(
      { visitor_id: visitorId, sdk_platform: "android" },
      new Set(),
    ),
    startMs: 0,
    endMs,
    lastSeq: events.lastSeq(),
    reverse: true,
    limit: Number.MAX_SAFE_INTEGER,
  });
}

/** The country of the event's own address. Without one, of the other address in the event. */
function countryOf({ ip_address, ip_info }: Event): string | undefined {
  const known = [ip_info?.v4, ip_info?.v6];
  const own = known.find((info) => info?.address === ip_address) ?? known[0];
  return (own ?? known[1])?.geolocation?.country_code ?? undefined;
}
