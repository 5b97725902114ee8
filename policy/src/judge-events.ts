import type { Client, Event } from "@devid/sdk";
import { eventAsRuleRequest } from "@devid/rules/language";
import { type Rule, mayDecide } from "@devid/rules";
import {
  decisionComparison,
  type impossibleOutcomes,
} from "@devid/review/replay";

/** The events that a check looks at. */
export interface EventWindow {
  readonly hours: number;
  /** At most this many of the newest events are checked. */
  readonly maxEvents: number;
  /** Environment ID. Absent: events of every environment. */
  readonly environment?: string;
  /** Canonical names of headers that no client sends. */
  readonly assumeNotSent: readonly string[];
}

/** What a change of rules would have done to past events. */
export interface Judgement {
  /** Number of events. */
  readonly looked: number;
  /** Number of events that the proposed rules deny and the rules in force allow. */
  readonly denied: number;
  /**
   * Number of events that may be newly denied, depending on request data that
   * events do not have.
   */
  readonly cannotTell: number;
  /** Number of newly denied events by the rule that denies them; `or` joins several possible rules. */
  readonly deniedBy: ReadonlyMap<string, number>;
  /** The request data that undecided events lack, as expressions read it. */
  readonly missing: ReadonlySet<string>;
}

/** A change of rules. */
export interface RuleChange {
  readonly inForce: readonly Rule[];
  readonly proposed: readonly Rule[];
  /** The outcomes that are proven for no request. */
  readonly impossible: ReturnType<typeof impossibleOutcomes>;
}

/**
 * Decides past events by the rules in force and by the proposed ones, and
 * counts the differences.
 */
export async function judgeEvents(
  client: Client,
  { inForce, proposed, impossible }: RuleChange,
  { hours, maxEvents, environment, assumeNotSent }: EventWindow,
): Promise<Judgement> {
  const compare = decisionComparison(inForce, proposed, impossible);
  const deniedBy = new Map<string, number>();
  const notSent = new Set(assumeNotSent);
  const missing = new Set<string>();
  let [looked, denied, cannotTell] = [0, 0, 0];
  for await (const event of newestEvents(client, hours, environment)) {
    const compared = compare({ ...eventAsRuleRequest(event), notSent });
    const { outcome, possible, after } = compared;
    looked += 1;
    if (outcome === "cannotTell" && possible.has("newlyDenied")) {
      cannotTell += 1;
      for (const field of compared.missing) missing.add(field);
    }
    if (outcome === "newlyDenied") {
      denied += 1;
      const names = mayDecide(after)
        .map(({ name }) => `"${name}"`)
        .join(" or ");
      deniedBy.set(names, (deniedBy.get(names) ?? 0) + 1);
    }
    if (looked >= maxEvents) break;
  }
  return { looked, denied, cannotTell, deniedBy, missing };
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
