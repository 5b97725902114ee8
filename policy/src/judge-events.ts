import type { Client, Event } from "@devid/sdk";
import { eventAsRuleRequest } from "@devid/rules/language";
import { mayDecide, type decisionComparison } from "@devid/rules/replay";

/** Which events are looked at. */
export interface EventWindow {
  readonly hours: number;
  /** The newest come first. */
  readonly maxEvents: number;
  /** Environment ID; absent: events of every environment. */
  readonly environment?: string;
}

/** What a change of rules would have done to past events. */
export interface Judgement {
  readonly looked: number;
  /** Events that the proposed rules deny and those in force allow. */
  readonly denied: number;
  /** Events for which that depends on what they do not tell. */
  readonly cannotTell: number;
  /** How many events each rule, or one of several, would have denied newly. */
  readonly deniedBy: ReadonlyMap<string, number>;
}

/** Puts past events to the rules in force and to the proposed ones, which `compare` holds against each other. */
export async function judgeEvents(
  client: Client,
  compare: ReturnType<typeof decisionComparison>,
  { hours, maxEvents, environment }: EventWindow,
): Promise<Judgement> {
  const deniedBy = new Map<string, number>();
  let [looked, denied, cannotTell] = [0, 0, 0];
  for await (const event of newestEvents(client, hours, environment)) {
    const { outcome, possible, after } = compare(eventAsRuleRequest(event));
    looked += 1;
    if (outcome === "cannotTell" && possible.has("newlyDenied"))
      cannotTell += 1;
    if (outcome === "newlyDenied") {
      denied += 1;
      const names = mayDecide(after)
        .map(({ name }) => `"${name}"`)
        .join(" or ");
      deniedBy.set(names, (deniedBy.get(names) ?? 0) + 1);
    }
    if (looked >= maxEvents) break;
  }
  return { looked, denied, cannotTell, deniedBy };
}

function newestEvents(
  client: Client,
  hours: number,
  environment: string | undefined,
): AsyncIterable<Event> {
  return client.events.searchAll({
    start: Date.now() - hours * 3_600_000,
    ...(environment !== undefined && { environment: [environment] }),
  });
}
