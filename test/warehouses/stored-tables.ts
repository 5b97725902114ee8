import type { Event } from "@devid/sdk";
import { quotedText } from "@devid/warehouse/sql";
import type {
  ClickHouseCluster,
  TrinoCluster,
} from "../../tools/warehouse/src";
import { STORED_COLUMNS, storedCells } from "../warehouse/sql/stored-events";

/** Rows of one statement. */
const INSERTED_AT_ONCE = 500;

/** The columns of stored events with the types of an engine. */
export const columnsOf = (
  types: Readonly<Record<"text" | "number" | "time", string>>,
): string =>
  STORED_COLUMNS.map(({ name, kind }) => `${name} ${types[kind]}`).join(", ");

/** Events as statements of SQL that insert them into the table `events`. */
export function insertsOf(
  dialect: "duckdb" | "trino",
  events: readonly Event[],
): string[] {
  const cell = (value: string | number | null) =>
    typeof value === "string" ? quotedText(dialect, value) : String(value);
  const rows = events.map(
    (one) => `(${storedCells(one).map(cell).join(", ")})`,
  );
  const statements: string[] = [];
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE)
    statements.push(
      `INSERT INTO events VALUES ${rows.slice(at, at + INSERTED_AT_ONCE).join(", ")}`,
    );
  return statements;
}

/** Makes the table `events` in Trino. */
export async function storeInTrino(
  trino: TrinoCluster,
  events: readonly Event[],
): Promise<void> {
  const types = { text: "varchar", number: "double", time: "bigint" };
  await trino.run(`CREATE TABLE events (${columnsOf(types)})`);
  for (const sql of insertsOf("trino", events)) await trino.run(sql);
}

/** Makes the table `events` on the shards of ClickHouse. */
export async function storeInClickHouse(
  cluster: ClickHouseCluster,
  events: readonly Event[],
): Promise<void> {
  const columns = columnsOf({
    text: "Nullable(String)",
    number: "Nullable(Float64)",
    time: "Int64",
  });
  await cluster.makeTable(
    "events",
    columns.replace("event_id Nullable(String)", "event_id String"),
  );
  const rows = events.map((one) => {
    const cells = storedCells(one);
    return JSON.stringify(
      Object.fromEntries(STORED_COLUMNS.map(({ name }, i) => [name, cells[i]])),
    );
  });
  await cluster.run(`INSERT INTO events FORMAT JSONEachRow ${rows.join("\n")}`);
}
