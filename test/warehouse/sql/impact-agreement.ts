import { countUsage, measureImpact, UsageCounter } from "@devid/review/replay";
import {
  impactInTable,
  NotInDialectError,
  usageInTable,
  type DialectName,
  type QueryRows,
  type RowNumbers,
} from "@devid/warehouse/sql";
import fc from "fast-check";
import { expect } from "vitest";
import * as random from "../../rules/language/random-expression";
import { compound, END, rules, START } from "../../review/replay/random-replay";
import {
  columnsOf,
  columnsWithoutFlags,
  eventRow,
  type EventRow,
} from "./event-rows";

const seed = 20251120;

/** Random rows for `eventTables`. */
export const sampledRows = (numRuns: number): readonly EventRow[] =>
  fc.sample(eventRow, { numRuns, seed });

export async function* eventsOf(rows: readonly EventRow[]) {
  for (const { event } of rows) yield await Promise.resolve(event);
}

/** The figures without the rows that are not counted, which `Warehouse` counts by itself. */
export function withoutRows<Found extends { readonly rows?: unknown }>(
  found: Found,
): Omit<Found, "rows"> {
  const { rows: _, ...others } = found;
  return others;
}

/**
 * Expects that random rule sets have the same impact and usage in the tables of
 * `eventTables` as in a replay. One table has the bot flags, the other only user
 * agents.
 * @param numbers if given, half of the impacts use them
 * @returns how many sets deny events that were allowed, and how many sets the dialect
 * cannot express
 */
export async function expectImpactsOfReplay(
  dialect: DialectName,
  query: QueryRows,
  rows: readonly EventRow[],
  sets: number,
  numbers?: RowNumbers,
): Promise<{ changed: number; refused: number }> {
  const expression = fc.oneof(compound, compound, random.supported);
  const pairs = fc.sample(
    fc.record({ inForce: rules(expression), proposed: rules(expression) }),
    { numRuns: sets, seed },
  );
  const tables = [
    { table: "events", columns: columnsOf(dialect) },
    { table: "events_told", columns: columnsWithoutFlags(dialect) },
  ];
  let [changed, refused] = [0, 0];
  for (const [n, { inForce, proposed }] of pairs.entries()) {
    const range = { start: START, end: END, assumeNotSent: ["X-B"] };
    const options = { ...range, inForce, proposed, by: "bot" };
    const { table = "", columns } = tables[n % tables.length] ?? {};
    if (!columns) continue;
    const isNumbered = n % 4 < 2;
    const events = {
      ...{ dialect, table, columns, label: "bot" },
      numbers: isNumbered ? numbers : undefined,
    };
    try {
      const found = await impactInTable(query, events, options);
      const replayed = withoutRows(
        await measureImpact(eventsOf(rows), options),
      );
      expect(found).toEqual(replayed);
      const usage = { ...range, rules: proposed };
      expect(await usageInTable(query, events, usage)).toEqual(
        withoutRows(await countUsage(eventsOf(rows), new UsageCounter(usage))),
      );
      if (replayed.newlyDenied.events > 0) changed++;
    } catch (error) {
      if (!(error instanceof NotInDialectError)) throw error;
      refused++;
    }
  }
  return { changed, refused };
}
