import type { Event } from "@devid/sdk";
import { countUsage, measureImpact, UsageCounter } from "@devid/review/replay";
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

/** The figures without the rows that are not counted, which `Warehouse` counts by itself. */
export function withoutRows<Found extends { readonly rows?: unknown }>(
  found: Found,
): Omit<Found, "rows"> {
  const { rows: _, ...others } = found;
  return others;
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
    const replayed = withoutRows(
      await measureImpact(eachEvent(stored), options),
    );
    expect(found).toEqual(replayed);
    const counted = withoutRows(
      await countUsage(eachEvent(stored), new UsageCounter(usage)),
    );
    expect(counter.usage()).toEqual(counted);
    expect(await usageInTable(query, events, usage)).toEqual(counted);
    if (replayed.newlyDenied.events > 0) changed++;
  }
  return { changed };
}
