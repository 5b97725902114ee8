import type { DialectName } from "./dialects";
import type { EventColumns } from "./event-columns";

/** Past events in a table of an engine. */
export interface EventTable {
  readonly dialect: DialectName;
  /** The text after FROM: a quoted name, or a subquery in brackets with a name. */
  readonly table: string;
  readonly columns: EventColumns;
  /**
   * A condition for the events that count, such as their environment. It need not
   * contain the time.
   */
  readonly where?: string;
  /** Left out for an engine that cannot keep groups. */
  readonly kept?: KeptGroups;
  /**
   * The label by which impacts are split: a text, null for an event without the label.
   */
  readonly label?: string;
}

/**
 * Groups that DuckDB keeps, with lists of the numbers of their rows, so that a second
 * query reads only these rows.
 */
export interface KeptGroups {
  /** The SQL of an integer that is different in each row. */
  readonly number: string;
  /** The table of the groups; undefined if they take too much memory. */
  readonly table?: string;
  /** Keeps the groups that a query gives. */
  readonly fill: (sql: string) => Promise<void>;
  readonly drop: () => Promise<void>;
}

/**
 * A value of a row. Every integer of these queries is below 2^53, so a `number` and a
 * `bigint` are both exact.
 */
export type SqlCell = string | number | bigint | boolean | null;

/** The cells of a row, in the order of the query's columns. */
export type SqlRow = readonly SqlCell[];

/** Runs a query that only reads, and yields its rows in parts. */
export type QueryRows = (sql: string) => AsyncIterable<readonly SqlRow[]>;

/** The condition for the events of a time range, `end` excluded. */
export function whereSql(
  { columns: { timestamp }, where }: EventTable,
  start: number,
  end: number,
): string {
  const within = `${timestamp} >= ${start} AND ${timestamp} < ${end}`;
  return where === undefined ? within : `(${where}) AND ${within}`;
}
