// @module-tag chdb
import { type Chdb, openChdb } from "@devid/warehouse-engines";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compareWithEngine } from "../warehouse/sql/agreement";
import { askedChdb } from "../warehouse/sql/asked-chdb";
import {
  expectImpactsOfReplay,
  sampledEvents,
} from "../warehouse/sql/impact-agreement";
import { sampledPairs } from "../warehouse/sql/sampled-pairs";
import { eventTables } from "../warehouse/sql/stored-events";

let chdb: Chdb;
beforeAll(async () => {
  chdb = await openChdb();
});
afterAll(() => chdb.close());

it("ClickHouse gives the same answer as partial evaluation for every event", async () => {
  const { pairs, ...sampled } = sampledPairs();
  const found = await compareWithEngine("clickhouse", askedChdb(chdb), sampled);
  expect(found.differences.slice(0, 10)).toEqual([]);
  expect(found.pairs).toBeGreaterThan(pairs);
  expect(found.bySql).toBeGreaterThan(pairs / 4);
});

it("a table in ClickHouse has the impact and the usage of a replay", async () => {
  const events = sampledEvents(2_000);
  for (const sql of eventTables("clickhouse", events)) chdb.query(sql);
  const sets = 10;
  const { query } = askedChdb(chdb);
  const found = await expectImpactsOfReplay("clickhouse", query, events, sets);
  expect(found.changed).toBeGreaterThan(0);
});
