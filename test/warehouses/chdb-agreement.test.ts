// @module-tag chdb
import { type Chdb, openChdb } from "@devid/warehouse-engines";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAgreement } from "../warehouse/sql/agreement";
import { askedChdb } from "../warehouse/sql/asked-chdb";
import {
  expectImpactsOfReplay,
  sampledEvents,
} from "../warehouse/sql/impact-agreement";
import { eventTables } from "../warehouse/sql/stored-events";
import { EventPlaces } from "../../warehouse/src/event-places";

let chdb: Chdb;
beforeAll(async () => {
  chdb = await openChdb();
});
afterAll(() => chdb.close());

it("ClickHouse gives the same answer as partial evaluation for every event", async () => {
  await expectAgreement("clickhouse", askedChdb(chdb), 1 / 4);
});

it("a table in ClickHouse has the impact and the usage of a replay", async () => {
  const events = sampledEvents(2_000);
  for (const sql of eventTables("clickhouse", events)) chdb.query(sql);
  const sets = 10;
  const { query } = askedChdb(chdb);
  const found = await expectImpactsOfReplay("clickhouse", query, events, sets);
  expect(found.changed).toBeGreaterThan(0);
});

it("a table in ClickHouse may call the ID of an event id", async () => {
  for (const sql of [
    "CREATE TABLE by_id (id Nullable(String), at Int64) ENGINE = Memory",
    "INSERT INTO by_id VALUES ('a', 1700000000001), ('a', 1700000000002)",
  ])
    chdb.query(sql);
  const { query } = askedChdb(chdb);
  const engine = {
    ...({
      dialect: "clickhouse",
      title: "ClickHouse",
      table: "by_id",
    } as const),
    query,
    describe: () =>
      Promise.resolve([
        { name: "id", type: "Nullable(String)" },
        { name: "at", type: "Int64" },
      ]),
    close: () => Promise.resolve(),
  };
  const columns = { event_id: "id", timestamp: "at" };
  const places = await EventPlaces.of(engine, { columns });
  await places.readTimes({});
  const range = { start: 1_700_000_000_000, end: 1_700_000_001_000 };
  const table = await places.table({});
  expect(await places.rows(table, range, 2, {})).toEqual({
    ...{ outside: 0, unreadable: [], duplicates: 1 },
  });
});
