import { DuckDBInstance } from "@duckdb/node-api";
import {
  EVENT_COLUMN_NAMES,
  EVENT_COLUMNS,
  quotedText,
} from "@devid/warehouse/sql";
import type { TrinoCluster } from "@devid/warehouse-engines";

/** Events that are sent to Trino one by one. */
const SENT = 2_000;
const SENT_AT_ONCE = 1_000;

const typeOf = (name: (typeof EVENT_COLUMN_NAMES)[number]) =>
  ({ text: "varchar", number: "double", time: "bigint" })[
    EVENT_COLUMNS[name].kind
  ];

/** A table on all workers, and a table with the same rows on one worker. */
export const TRINO_TABLES = { all: "events", one: "events_of_one" };

/**
 * Makes both tables: some events of the files, each of them many times, at other times
 * of the range.
 */
export async function makeTrinoTables(
  trino: TrinoCluster,
  {
    folder,
    events,
    start,
    end,
  }: {
    readonly folder: string;
    readonly events: number;
    readonly start: number;
    readonly end: number;
  },
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const names = EVENT_COLUMN_NAMES.filter((name) => name !== "visitor_id");
  const read = await connection.runAndReadAll(
    `SELECT ${names.join(", ")} FROM read_parquet('${folder}/*.parquet') LIMIT ${SENT}`,
  );
  const found = read.getRowsJson() as (string | number | null)[][];
  const rows = found.map((row) => {
    const cells = row.map((cell, i) => {
      const name = names[i];
      if (cell === null || name === undefined) return "NULL";
      return typeOf(name) === "varchar"
        ? quotedText("trino", String(cell))
        : String(cell);
    });
    return `(${cells.join(", ")})`;
  });
  connection.closeSync();
  const columns = names.map((name) => `${name} ${typeOf(name)}`);
  await trino.run(`CREATE TABLE sent (${columns.join(", ")})`);
  for (let at = 0; at < rows.length; at += SENT_AT_ONCE)
    await trino.run(
      `INSERT INTO sent VALUES ${rows.slice(at, at + SENT_AT_ONCE).join(", ")}`,
    );
  const copies = Math.ceil(events / rows.length);
  const time = `${start} + mod(timestamp * 7919 + copy * 104729, ${end - start}) AS timestamp`;
  const list = names.map((name) => (name === "timestamp" ? time : name));
  // Otherwise, few rows are written by one worker.
  const spread = {
    scale_writers: "false",
    task_scale_writers_enabled: "false",
  };
  await trino.run(
    `CREATE TABLE ${TRINO_TABLES.all} AS SELECT ${list.join(", ")} FROM sent CROSS JOIN UNNEST(sequence(1, ${copies})) AS c (copy)`,
    spread,
  );
  await trino.run(
    `CREATE TABLE ${TRINO_TABLES.one} AS SELECT * FROM ${TRINO_TABLES.all}`,
    { ...spread, max_writer_task_count: "1" },
  );
}
