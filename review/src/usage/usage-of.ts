import type { Client } from "@devid/sdk";
import type { Impact } from "../replay/impact";
import {
  allEvents,
  impactOf,
  type EventsOptions,
  type ImpactOptions,
} from "../replay/impact-of";
import type { Usage } from "./usage";
import { countUsage, UsageCounter, type UsageOptions } from "./usage-counter";

/** The rules whose usage is counted, and the events of the API to read. */
export interface EventsUsageOptions extends UsageOptions, EventsOptions {}

/**
 * What the rules of a set, and the terms in them, did on the past events of an
 * environment. Every event of the range is read (docs/contract.md, "GET /events").
 * @throws InvalidInputError; what `client.events.searchAll` throws
 */
export async function usageOf(
  client: Client,
  options: EventsUsageOptions,
): Promise<Usage> {
  const counter = new UsageCounter(options);
  return countUsage(allEvents(client, counter.range, options), counter);
}

/**
 * What proposed rules would have done to past events, and what the rules of a set did on
 * them. Each event is read once, unless the impact is that of a sample: usage is of all
 * events.
 * @throws the errors of `impactOf` and `usageOf`
 */
export async function impactAndUsageOf(
  client: Client,
  { rules, ...options }: ImpactOptions & Pick<UsageOptions, "rules">,
): Promise<{ readonly impact: Impact; readonly usage: Usage }> {
  const counter = new UsageCounter({ ...options, rules });
  const impact = await impactOf(client, options, (event) =>
    counter.addEvent(event),
  );
  const usage = counter.usage();
  const isOfAll = impact.sample === undefined && usage.events === impact.events;
  return {
    impact,
    usage: isOfAll ? usage : await usageOf(client, { ...options, rules }),
  };
}
