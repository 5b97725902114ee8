import type { DialectName } from "./dialects/dialect";
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
  /** Left out for an engine that cannot keep numbers of rows. */
  readonly numbers?: RowNumbers;
  /**
   * The label by which impacts are split: a text, null for an event without the label.
   */
  readonly label?: string;
}

/** Numbers of rows, which one query keeps for the next. */
export interface RowNumbers {
  /** The SQL of an integer that is different in each row. */
  readonly sql: string;
  /** An aggregate: the list of an integer of a row. */
  readonly collect: (integer: string) => string;
  /** In a select: a row for each integer of a list. */
  readonly each: (list: string) => string;
  /** Stores the result of a query. Undefined if that takes too much memory. */
  readonly keep: (sql: string) => Promise<KeptRows | undefined>;
}

/** The stored result of a query. */
export interface KeptRows {
  /** The table with the result, quoted. */
  readonly table: string;
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
