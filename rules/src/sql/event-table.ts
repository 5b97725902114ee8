import type { DialectName } from "./dialects/dialect";
import type { EventColumns } from "./event-columns";

/** Past events in a table of an engine. */
export interface EventTable {
  readonly dialect: DialectName;
  /** What stands behind FROM: a quoted name, or a subquery in brackets with a name. */
  readonly table: string;
  readonly columns: EventColumns;
  /** A condition that every event meets that counts, such as its environment. It need not name the time. */
  readonly where?: string;
  /** Whether it has so few rows that each is asked everything. */
  readonly isSmall?: boolean;
  /** Where impacts are split by a label: a text, null for an event without one. */
  readonly label?: string;
}

/** A value of a row. Integers that queries here ask for are below 2^53, so any of the forms of a number is exact. */
export type SqlCell = string | number | bigint | boolean | null;

/** The cells of a row, in the order of the query's columns. */
export type SqlRow = readonly SqlCell[];

/** Runs a query that only reads, and yields its rows in parts. */
export type QueryRows = (sql: string) => AsyncIterable<readonly SqlRow[]>;

/** The condition of the events of a stretch of time, `end` excluded. */
export function whereSql(
  { columns: { timestamp }, where }: EventTable,
  start: number,
  end: number,
): string {
  const within = `${timestamp} >= ${start} AND ${timestamp} < ${end}`;
  return where === undefined ? within : `(${where}) AND ${within}`;
}
