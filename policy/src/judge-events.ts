import type { Client, Event } from "@devid/sdk";
import { eventAsRuleRequest } from "@devid/sdk/events";
import type { CheckedRule } from "@devid/sdk/rules";
import { decidePartly } from "@devid/sdk/rules/replay";

/** Which events are looked at. */
export interface EventWindow {
  readonly hours: number;
  /** The newest come first. */
  readonly maxEvents: number;
  /** Environment ID; absent: events of every environment. */
  readonly environment?: string;
}

/** What a rule set would have decided about past events. */
export interface Judgement {
  readonly looked: number;
  readonly denied: number;
  /** Events for which it depends on what they do not tell. */
  readonly cannotTell: number;
  /** How many events each rule, or one of several, would have denied. */
  readonly deniedBy: ReadonlyMap<string, number>;
}

/** Puts past events to a rule set. Stored events are requests that were let through, so each denial is a new one. */
export async function judgeEvents(
  client: Client,
  rules: readonly CheckedRule[],
  { hours, maxEvents, environment }: EventWindow,
): Promise<Judgement> {
  const decide = decidePartly(rules);
  const deniedBy = new Map<string, number>();
  let [looked, denied, cannotTell] = [0, 0, 0];
  for await (const event of newestEvents(client, hours, environment)) {
    const { result, mayDecide } = decide(eventAsRuleRequest(event));
    looked += 1;
    if (result === "cannot tell") cannotTell += 1;
    if (result === "deny") {
      denied += 1;
      const names = mayDecide.map((name) => `"${name}"`).join(" or ");
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
