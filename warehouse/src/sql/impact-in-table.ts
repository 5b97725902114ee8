import { ImpactCounter, isChanged } from "@devid/review/internals";
import {
  type Impact,
  type ReplayOptions,
  type Usage,
  UsageCounter,
  type UsageOptions,
} from "@devid/review/replay";
import { ChangesInTable } from "./changes-in-table";
import type { EventTable, QueryRows } from "./event-table";
import { groupsInTable } from "./groups-in-table";
import { RowKeys } from "./row-keys";

/**
 * What proposed rules would have done to the events of a table: the figures that
 * `measureImpact` gives for the same events. One query groups them, the evaluator decides
 * each group, and further queries find what changed events have in common. All top
 * values are exact, also where the replay has bounds.
 * @param query runs a query; it is called one to four times, one after the other
 * @throws InvalidInputError; what `query` throws
 *
 * @example
 * const impact = await impactInTable(
 *   query,
 *   { dialect: "duckdb", table: '"events"', columns },
 *   { proposed, inForce, start, end },
 * );
 */
export async function impactInTable(
  query: QueryRows,
  table: EventTable,
  options: ReplayOptions & {
    /** Whether only numbers are counted, and not what changed events have in common. */
    readonly isBrief?: boolean;
  },
): Promise<Impact> {
  const counter = new ImpactCounter(options);
  const keys = new RowKeys(table, counter.expressions, counter.notSent);
  const changes = new ChangesInTable(table, keys, counter);
  const figures = counter.figures();
  try {
    for await (const group of groupsInTable(query, table, keys, counter)) {
      const outcome = counter.add(group, figures);
      if (isChanged(outcome)) changes.add(outcome, group);
    }
    if (options.isBrief !== true) await changes.describe(query);
  } finally {
    await table.kept?.drop();
  }
  return counter.impact(figures);
}

/**
 * What the rules of a set, and the terms in them, did on the events of a table. The
 * figures are those of `countUsage` for the same events. One query groups them.
 * @throws InvalidInputError; what `query` throws
 */
export async function usageInTable(
  query: QueryRows,
  table: EventTable,
  options: UsageOptions,
): Promise<Usage> {
  const counter = new UsageCounter(options);
  const { expressions, notSent, parts, range } = counter;
  const keys = new RowKeys(table, expressions, notSent, parts);
  for await (const group of groupsInTable(query, table, keys, { range }))
    counter.add(group);
  return counter.usage();
}
