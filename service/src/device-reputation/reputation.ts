import type { DrnRecord, DrnSignal } from "@devid/sdk/wire/events";
import type { z } from "zod";
import type { DeviceActivity, Window } from "./device-activity";

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
  const data: DrnData = {};
  for (const signal of signals)
    switch (signal) {
      case "regional_activity":
        data.regionalActivity =
          given.regionalActivity ?? regionalActivity(activity, window);
        break;
      case "suspect_score":
        data.suspectScore =
          given.suspectScore ?? suspectScore(activity, window);
        break;
      case "timestamps":
        data.timestamps = given.timestamps ?? timestamps(activity);
        break;
      default:
        throw new Error(`Unknown signal: ${String(signal satisfies never)}`);
    }
  return data;
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
