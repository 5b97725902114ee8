import type { Event } from "@devid/sdk";
import type { Impact } from "./impact";
import { ImpactCounter } from "./impact-counter";
import type { ReplayOptions } from "./replay-options";

/**
 * What proposed rules would have done to events, in whatever order they come;
 * those outside the range are left out. Every figure is exact, in memory that
 * does not grow with the number of events: of each attribute 50,000 different
 * values are counted, of which the first 512 characters count, and where there
 * are more a top value says between what its number lies.
 * @throws InvalidInputError, and what the events throw
 *
 * @example
 * const impact = await measureImpact(client.events.searchAll({ start, end }), {
 *   proposed,
 *   inForce,
 *   start,
 *   end,
 * });
 */
export async function measureImpact(
  events: AsyncIterable<Event>,
  options: ReplayOptions,
): Promise<Impact> {
  const counter = new ImpactCounter(options);
  const figures = counter.figures();
  for await (const event of events) counter.add(event, figures);
  return counter.impact(figures);
}
