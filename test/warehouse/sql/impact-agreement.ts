import type { Event } from "@devid/sdk";
import {
  countUsage,
  type Impact,
  measureImpact,
  type ReplayOptions,
  type Usage,
  UsageCounter,
  type UsageOptions,
} from "@devid/review/replay";
import {
  impactInTable,
  usageInTable,
  type DialectName,
  type QueryRows,
} from "@devid/warehouse/sql";
import fc from "fast-check";
import { expect } from "vitest";
import * as random from "../../rules/language/random-expression";
import {
  compound,
  eachEvent,
  END,
  rules,
  START,
} from "../../review/replay/random-replay";
import { countedEvent } from "./random-events";
import { columnsOf } from "./stored-events";

const seed = 20251120;

/** Random events for `eventTables`. */
export const sampledEvents = (numRuns: number): readonly Event[] =>
  fc.sample(countedEvent, { numRuns, seed });

/** The impact in a replay, without the rows that are not counted, which `Warehouse` counts by itself. */
export async function impactOfReplay(
  events: readonly Event[],
  options: ReplayOptions,
): Promise<Impact> {
  const { rows: _, ...impact } = await measureImpact(
    eachEvent(events),
    options,
  );
  return impact;
}

/** The usage in a replay, likewise. */
export async function usageOfReplay(
  events: readonly Event[],
  options: UsageOptions,
): Promise<Usage> {
  const counter = new UsageCounter(options);
  const { rows: _, ...usage } = await countUsage(eachEvent(events), counter);
  return usage;
}

/**
 * Expects that random rule sets have the same impact and usage in the table of
 * `eventTables` as in a replay.
 * @returns how many sets deny events that were allowed
 */
export async function expectImpactsOfReplay(
  dialect: DialectName,
  query: QueryRows,
  stored: readonly Event[],
  sets: number,
): Promise<{ changed: number }> {
  const expression = fc.oneof(compound, compound, random.supported);
  const pairs = fc.sample(
    fc.record({ inForce: rules(expression), proposed: rules(expression) }),
    { numRuns: sets, seed },
  );
  const events = {
    ...{ dialect, table: "events", columns: columnsOf(dialect), label: "bot" },
  };
  let changed = 0;
  for (const { inForce, proposed } of pairs) {
    const range = { start: START, end: END, assumeNotSent: ["X-B"] };
    const options = { ...range, inForce, proposed, by: "bot" };
    const usage = { ...range, rules: proposed };
    const counter = new UsageCounter(usage);
    const found = await impactInTable(query, events, options, counter);
    const replayed = await impactOfReplay(stored, options);
    expect(found).toEqual(replayed);
    const counted = await usageOfReplay(stored, usage);
    expect(counter.usage()).toEqual(counted);
    expect(await usageInTable(query, events, usage)).toEqual(counted);
    if (replayed.newlyDenied.events > 0) changed++;
  }
  return { changed };
}
