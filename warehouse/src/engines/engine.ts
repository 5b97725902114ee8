import type { DialectName, KeptGroups, SqlRow } from "../sql";

/** How far a query has come. */
export interface QueryProgress {
  /** The finished part of the work, 0 to 1. */
  readonly share: number;
}

/** Options of a query. */
export interface QueryOptions {
  /** Ends the query, on the engine, too. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: QueryProgress) => void;
}

/** A column as the engine describes it. */
export interface DescribedColumn {
  readonly name: string;
  /** The engine's own name of its type. */
  readonly type: string;
}

/** The columns of a table, from rows that begin with a name and a type. */
export function describedColumns(rows: readonly SqlRow[]): DescribedColumn[] {
  return rows.map(([name, type]) => ({
    name: String(name),
    type: String(type),
  }));
}

/** A running engine that answers read-only queries about one table. */
export interface Engine {
  readonly dialect: DialectName;
  /** How messages name it: `ClickHouse at https://ch.example:8443`. */
  readonly title: string;
  /** The table as queries name it, quoted. */
  readonly table: string;
  /** The columns of the table. */
  describe(options?: QueryOptions): Promise<readonly DescribedColumn[]>;
  /**
   * Runs a query and yields its rows in parts.
   * @throws WarehouseQueryError; WarehouseUnreachableError; the reason of the signal
   */
  query(sql: string, options?: QueryOptions): AsyncIterable<readonly SqlRow[]>;
  /** Keeps groups for a second query, where the engine can. */
  kept?(options?: QueryOptions): KeptGroups | undefined;
  /** The column that says what is wrong with a row (`RowProblem`), if the rows were read from lines. */
  readonly problem?: string;
  /** How people find a row, if not by its event: an aggregate over the number of the row, and the place of a number. */
  readonly place?: {
    readonly sql: string;
    readonly of: (number: number) => Promise<string>;
  };
  /** Frees the engine's resources in this process, and ends running queries. */
  close(): Promise<void>;
}

/** All rows of a query. */
export async function allRows(
  engine: Engine,
  sql: string,
  options?: QueryOptions,
): Promise<SqlRow[]> {
  const rows: SqlRow[] = [];
  for await (const part of engine.query(sql, options)) rows.push(...part);
  return rows;
}
