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
}

/** A value of a row. Integers that queries here ask for are below 2^53, so any of the forms of a number is exact. */
export type SqlCell = string | number | bigint | boolean | null;

/** The cells of a row, in the order of the query's columns. */
export type SqlRow = readonly SqlCell[];

/** Runs a query that only reads, and yields its rows in parts. */
export type QueryRows = (sql: string) => AsyncIterable<readonly SqlRow[]>;
