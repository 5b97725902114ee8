import { grouped } from "@devid/rules/internals";
import type { Estimate, Impact } from "./impact";

/** How many events there are in the range of an impact. */
export function eventsOf({ events, sample }: Impact): Estimate {
  return sample ? sample.of : { value: events };
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

/** A share of all as a percentage. */
export function describePart(part: number, all: number): string {
  return describePercent(all === 0 ? 0 : (100 * part) / all);
}

/** The largest number of events that an estimate allows: the upper bound of a sample. */
export function atMost({ value, high = value }: Estimate): number {
  return high;
}

/**
 * The largest percentage of all events that an estimate allows, at most 100; 0
 * when there are no events.
 */
export function percentAtMost(estimate: Estimate, impact: Impact): number {
  if (estimate.percent) return estimate.percent.high;
  const all = eventsOf(impact).value;
  return all === 0 ? 0 : Math.min(100, (100 * atMost(estimate)) / all);
}

/**
 * A number of events and its share of all events: `420 (3.4%)`, of a sample `about 420
 * or 3.4% (380 to 460, 3.1% to 3.7%)`.
 */
export function describeShare(estimate: Estimate, impact: Impact): string {
  const { value, low, high, percent } = estimate;
  const part = describePart(value, eventsOf(impact).value);
  if (low === undefined || high === undefined)
    return `${grouped(value)} (${part})`;
  const shares = percent
    ? `, ${describePercent(percent.low)} to ${describePercent(percent.high)}`
    : "";
  return `about ${grouped(value)} or ${part} (${grouped(low)} to ${grouped(high)}${shares})`;
}

/**
 * The number of events for which an outcome is undetermined: those that may have it,
 * without those that surely do.
 */
export function undeterminedOf(
  outcome: keyof Impact["possible"],
  { possible, total }: Pick<Impact, "possible" | "total">,
): Estimate {
  return {
    value: Math.max(0, possible[outcome].value - total[outcome].value),
  };
}

/**
 * How many events have an outcome, and how many may have it: `420 (3.4%), up to
 * 434 (3.5%) with undetermined events`. `what` names the outcome behind the
 * first number.
 */
export function describeUpTo(
  outcome: keyof Impact["possible"],
  impact: Impact,
  what = "",
): string {
  const certain = `${describeShare(impact.total[outcome], impact)}${what}`;
  if (undeterminedOf(outcome, impact).value === 0) return certain;
  const most = impact.possible[outcome];
  return `${certain}, up to ${grouped(atMost(most))} (${describePercent(percentAtMost(most, impact))}) with undetermined events`;
}

/**
 * Whether any event is, or may be, newly denied or newly allowed. For a sample
 * only a proof rules that out.
 */
export function mayChange({ possible }: Pick<Impact, "possible">): boolean {
  return atMost(possible.newlyDenied) + atMost(possible.newlyAllowed) > 0;
}
