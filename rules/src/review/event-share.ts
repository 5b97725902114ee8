import type { Estimate, Impact } from "../replay";
import { describePart, eventsOf, grouped } from "../replay/report/event-share";

/** The most events that a number may stand for: of a sample its upper bound. */
export function atMost({ value, high = value }: Estimate): number {
  return high;
}

/** The percentage of the events of an impact that a number may be at most; 0 of none. */
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
