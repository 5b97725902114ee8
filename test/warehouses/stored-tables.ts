import type { Event } from "@devid/sdk";
import type {
  ClickHouseCluster,
  TrinoCluster,
} from "../../tools/warehouse/src";
import {
  eventTables,
  storedRow,
  typedColumns,
} from "../warehouse/sql/stored-events";

/** Makes the table `events` in Trino. */
export async function storeInTrino(
  trino: TrinoCluster,
  events: readonly Event[],
): Promise<void> {
  for (const sql of eventTables("trino", events)) await trino.run(sql);
}

/** Makes the table `events` on the shards of ClickHouse. */
export async function storeInClickHouse(
  cluster: ClickHouseCluster,
  events: readonly Event[],
): Promise<void> {
  const columns = typedColumns("clickhouse").replace(
    '"event_id" Nullable(String)',
    '"event_id" String',
  );
  await cluster.makeTable("events", columns);
  const rows = events.map((one) => JSON.stringify(storedRow(one)));
  await cluster.run(`INSERT INTO events FORMAT JSONEachRow ${rows.join("\n")}`);
}
