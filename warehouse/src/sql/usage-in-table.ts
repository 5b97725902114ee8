import {
  type Usage,
  UsageCounter,
  type UsageOptions,
} from "@devid/review/replay";
import { DIALECTS } from "./dialects";
import { type EventTable, type QueryRows, whereSql } from "./event-table";
import { RowKeys } from "./row-keys";

/**
 * What the rules of a set, and the terms in them, did on the events of a table. The
 * figures are those of `countUsage` for the same events. One query counts the events
 * with the same keys.
 * @throws InvalidInputError; what `query` throws
 */
export async function usageInTable(
  query: QueryRows,
  table: EventTable,
  options: UsageOptions,
): Promise<Usage> {
  const counter = new UsageCounter(options);
  const { start, end } = counter.range;
  const { asInteger } = DIALECTS[table.dialect];
  const keys = new RowKeys(
    table,
    counter.expressions.keys(),
    counter.notSent,
    counter.parts,
  );
  const rows = keys.rows(whereSql(table, start, end), {
    c_time: table.columns.timestamp,
  });
  const names = keys.names.join(", ");
  const by = names === "" ? "" : ` GROUP BY ${names}`;
  for await (const found of query(
    `SELECT ${asInteger("count(*)")}, min(c_time), max(c_time)${names && `, ${names}`} FROM (${rows}) AS t${by}`,
  ))
    for (const [count, least, most, ...cells] of found) {
      const [events = 0, first = 0, last = 0] = [count, least, most].map(
        Number,
      );
      if (events === 0) continue;
      counter.count(keys.request(cells), { events, first, last });
    }
  return counter.usage();
}
