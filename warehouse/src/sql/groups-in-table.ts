import type { EventGroup } from "@devid/review/internals";
import type { ReplayRange } from "@devid/review/replay";
import type { PartialRuleRequest } from "@devid/rules/language";
import { DIALECTS } from "./dialects";
import {
  type EventTable,
  type QueryRows,
  type SqlCell,
  whereSql,
} from "./event-table";
import type { RowKeys } from "./row-keys";

/** A group of events of a table. */
export interface TableGroup extends EventGroup {
  /** The cells of the keys that its rows have in common. */
  readonly keys: readonly SqlCell[];
  /** The same as one text. */
  readonly id: string;
}

/** Most requests that are kept for further groups. */
const MOST_KNOWN = 100_000;

/**
 * The events of a range in groups: one query counts those with the same keys, the same
 * label and in the same period. So memory does not grow with the number of events.
 * @param periods parts of the range, of equal length
 */
export async function* groupsInTable(
  query: QueryRows,
  table: EventTable,
  keys: RowKeys,
  { range, periods = 1 }: { range: ReplayRange; periods?: number },
): AsyncGenerator<TableGroup> {
  const { kept } = table;
  const where = whereSql(table, range.start, range.end);
  const label = table.label && (await labelKeys(query, table, where));
  await keys.decideTexts(query, where);
  const { asFloat, asInteger, floor } = DIALECTS[table.dialect];
  const { start, end } = range;
  // The same operations on floating-point numbers as those of the replay.
  const place = `${asFloat(`(c_time - ${start})`)} / ${asFloat(String(end - start))} * ${asFloat(String(periods))}`;
  const rows = keys.rows(where, {
    c_time: table.columns.timestamp,
    ...(label && { c_label: label.value, c_other: label.isOther }),
    ...(kept && { c_number: kept.number }),
  });
  // A getter, which is too slow for each row.
  const { length: width } = keys.names;
  const names = [
    ...keys.names,
    ...(label ? ["c_label", "c_other"] : []),
    ...(periods > 1 ? ["period"] : []),
  ];
  const from =
    periods > 1
      ? `(SELECT *, ${floor(place)} AS period FROM (${rows}) AS t) AS t`
      : `(${rows}) AS t`;
  const by = names.length === 0 ? "" : ` GROUP BY ${names.join(", ")}`;
  const groups = (more: string) =>
    `SELECT ${[...names, `${asInteger("count(*)")} AS events`, "min(c_time) AS first_time", "max(c_time) AS last_time"].join(", ")}${more} FROM ${from}${by}`;
  await kept?.fill(groups(", list(c_number) AS numbers"));
  const known = new Map<string, PartialRuleRequest>();
  for await (const part of query(
    `SELECT ${["events", "first_time", "last_time", ...names].join(", ")} FROM ${kept?.table ?? `(${groups("")}) AS t`}`,
  ))
    for (const [events, first, last, ...cells] of part) {
      if (Number(events) === 0) continue;
      const ofKeys = cells.slice(0, width);
      const [value, isOther] = cells.slice(width);
      const id = JSON.stringify(ofKeys.map(String));
      const request = known.get(id) ?? keys.request(ofKeys);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(id, request);
      yield {
        ...{ keys: ofKeys, id, request },
        events: Number(events),
        first: Number(first),
        last: Number(last),
        ...(label && {
          label: typeof value === "string" ? value : undefined,
          hasOtherLabels: Number(isOther) === 1,
        }),
      };
    }
}

/** Most values of a label that are counted by themselves. */
const MOST_LABELS = 100;

/** The keys of a label: its value, and whether it is one of the values that are counted together. */
interface LabelKeys {
  readonly value: string;
  readonly isOther: string;
}

/** Counts the values of a label by themselves if they are few, else the most frequent. */
async function labelKeys(
  query: QueryRows,
  table: EventTable,
  where: string,
): Promise<LabelKeys> {
  const { asText, quoteText } = DIALECTS[table.dialect];
  const value = asText(table.label ?? "NULL");
  const values: string[] = [];
  for await (const rows of query(
    `SELECT label FROM (SELECT ${value} AS label FROM ${table.table} WHERE ${where}) AS t WHERE label IS NOT NULL GROUP BY label ORDER BY count(*) DESC, label LIMIT ${MOST_LABELS + 1}`,
  ))
    for (const [label] of rows) values.push(String(label));
  if (values.length <= MOST_LABELS) return { value, isOther: "0" };
  const frequent = values.slice(0, MOST_LABELS).map(quoteText).join(", ");
  const isFrequent = `${value} IN (${frequent})`;
  return {
    value: `CASE WHEN ${isFrequent} THEN ${value} END`,
    isOther: `CASE WHEN ${value} IS NULL OR ${isFrequent} THEN 0 ELSE 1 END`,
  };
}
