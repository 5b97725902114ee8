import type { Estimate, Impact } from "./impact";

/** How many events there are in the range of an impact. */
export function eventsOf({ events, sample }: Impact): Estimate {
  return sample ? sample.of : { value: events };
}

/** A whole number with commas: `12,345`. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A number of events: `12,345`, of a sample `about 12,345 (11,900 to 12,790)`. */
export function describeEstimate(estimate: Estimate): string {
  const isExact = estimate.low === undefined;
  return `${isExact ? "" : "about "}${withBounds(estimate)}`;
}

/** The same without a word: `12,345 (11,900 to 12,790)`. */
export function withBounds({ value, low, high }: Estimate): string {
  return low === undefined || high === undefined
    ? grouped(value)
    : `${grouped(value)} (${grouped(low)} to ${grouped(high)})`;
}

/** A percentage: `3.4%`. Only 0 shows as `0%`, and only all as `100%`. */
export function describePercent(percent: number): string {
  if (percent > 0 && percent < 0.1) return "less than 0.1%";
  if (percent > 99.9 && percent < 100) return "more than 99.9%";
  return `${Number(percent.toFixed(1))}%`;
}

/** A part of all as a percentage. */
export function describePart(part: number, all: number): string {
  return describePercent(all === 0 ? 0 : (100 * part) / all);
}

/** A number of things in words: `1 event`, `2 events`. */
export function count(value: number, what: string): string {
  return `${grouped(value)} ${what}${value === 1 ? "" : "s"}`;
}

/** The largest number of events that an estimate allows: the upper bound of a sample. */
export function atMost({ value, high = value }: Estimate): number {
  return high;
}

/** The largest percentage of all events that an estimate allows; 0 when there are no events. */
export function percentAtMost(estimate: Estimate, impact: Impact): number {
  const all = eventsOf(impact).value;
  return all === 0 ? 0 : (100 * atMost(estimate)) / all;
}

/** A number of events and which part of all it is: `420 (3.4%)`, of a sample `about 420 or 3.4% (380 to 460)`. */
export function describeShare(estimate: Estimate, impact: Impact): string {
  const { value, low, high } = estimate;
  const part = describePart(value, eventsOf(impact).value);
  return low === undefined || high === undefined
    ? `${grouped(value)} (${part})`
    : `about ${grouped(value)} or ${part} (${grouped(low)} to ${grouped(high)})`;
}
