import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import type { QueryRows, SqlCell } from "@devid/warehouse/sql";
import type { AskedEngine } from "./agreement";

/** A DuckDB in this process, in memory, without extensions. */
export async function openDuckDb(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    threads: "2",
  });
  return instance.connect();
}

/** Runs queries like rules do. */
export function queryOf(connection: DuckDBConnection): QueryRows {
  return async function* (sql) {
    const result = await connection.stream(sql);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      yield chunk.getRows() as unknown as readonly SqlCell[][];
    }
  };
}

/** A DuckDB for `compareWithEngine`. */
export async function askedDuckDb(): Promise<AskedEngine> {
  const connection = await openDuckDb();
  const run = async (sql: string) => {
    await connection.run(sql);
  };
  return { query: queryOf(connection), run };
}
