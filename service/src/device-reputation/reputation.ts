import { setImmediate } from "node:timers/promises";
import type { Event } from "@devid/sdk";
import { type Region, REGIONS } from "@devid/sdk/wire";
import type { DrnRecord, DrnSignal } from "@devid/sdk/wire/events";
import type { z } from "zod";
import { eventConditions } from "../store/event-conditions";
import type { Events } from "../store/events";

/** The `data` of an answer, or a part of it. */
export type DrnData = z.output<typeof DrnRecord>;

/**
 * The requested signals of a device (docs/contract.md, "DRN record"). Each comes from
 * a control call. Without one it comes from the stored events. Without events it is
 * the documented empty state (docs/assumptions.md, A70).
 */
export function reputation(
  signals: readonly DrnSignal[],
  given: DrnData,
  activity: DeviceActivity | undefined,
  window: Window,
): DrnData {
  const parts: Readonly<Record<DrnSignal, () => DrnData>> = {
    regional_activity: () => ({
      regionalActivity:
        given.regionalActivity ?? regionalActivity(activity, window),
    }),
    suspect_score: () => ({
      suspectScore: given.suspectScore ?? suspectScore(activity, window),
    }),
    timestamps: () => ({
      timestamps: given.timestamps ?? timestamps(activity),
    }),
  };
  return Object.assign(
    {},
    ...signals.map((signal) => parts[signal]()),
  ) as DrnData;
}

function regionalActivity(
  activity: DeviceActivity | undefined,
  window: Window,
): DrnData["regionalActivity"] {
  const countries = [...(activity?.countries ?? [])];
  const total = countries.reduce((sum, [, count]) => sum + count, 0);
  countries.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    ...dates(window),
    countries: countries.map(([code, count]) => ({
      code,
      detectors: [{ type: "ip", activityPercentage: count / total }],
    })),
  };
}

/**
 * The weights of signals and the percentile stay empty: the service knows
 * neither weights nor other devices to compare with.
 */
function suspectScore(
  activity: DeviceActivity | undefined,
  window: Window,
): DrnData["suspectScore"] {
  const scores = activity?.scores ?? [];
  const [first = 0] = scores;
  return {
    ...dates(window),
    minimum: {
      value: scores.reduce((a, b) => Math.min(a, b), first),
      signals: {},
    },
    maximum: {
      value: scores.reduce((a, b) => Math.max(a, b), first),
      percentile: 0,
      signals: {},
    },
  };
}

function timestamps(
  activity: DeviceActivity | undefined,
): DrnData["timestamps"] {
  return (
    activity && {
      firstSeenAt: date(activity.firstSeenMs),
      lastSeenAt: date(activity.lastSeenMs),
    }
  );
}

function dates({ startMs, endMs }: Window) {
  return { startDate: date(startMs), endDate: date(endMs) };
}

/** A time in UTC, to the second. */
function date(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}

/** What the stored events say about an Android device. */
interface DeviceActivity {
  /** Times of the first and the last event, in Unix milliseconds. */
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** The number of events in the window for each country code. */
  readonly countries: ReadonlyMap<string, number>;
  readonly scores: readonly number[];
}

/** A span of time in Unix milliseconds; both ends belong to it. */
interface Window {
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
