// @module-tag chdb
import type { QueryRows, SqlRow } from "@devid/warehouse/sql";
import { type Chdb, openChdb } from "../../tools/warehouse/src";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compareWithEngine } from "../warehouse/sql/agreement";
import { eventTables } from "../warehouse/sql/event-rows";
import {
  expectImpactsOfReplay,
  sampledRows,
} from "../warehouse/sql/impact-agreement";
import { sampledPairs } from "../warehouse/sql/sampled-pairs";

let chdb: Chdb;
beforeAll(async () => {
  chdb = await openChdb();
});
afterAll(() => chdb.close());

const query: QueryRows = async function* (sql) {
  const lines = chdb.query(sql).split("\n").filter(Boolean);
  yield await Promise.resolve(lines.map((line) => JSON.parse(line) as SqlRow));
};

it("ClickHouse says of every event what partial evaluation says", async () => {
  const { pairs, ...sampled } = sampledPairs();
  const run = (sql: string) => {
    chdb.query(sql);
    return Promise.resolve();
  };
  const found = await compareWithEngine("clickhouse", { query, run }, sampled);
  expect(found.differences.slice(0, 10)).toEqual([]);
  expect(found.pairs).toBeGreaterThan(pairs);
  expect(found.refused.length).toBeLessThan(pairs / 10_000);
});

it("a table of ClickHouse gives the impact and the usage of a replay", async () => {
  const events = sampledRows(2_000);
  for (const sql of eventTables("clickhouse", events)) chdb.query(sql);
  const sets = 10;
  const found = await expectImpactsOfReplay("clickhouse", query, events, sets);
  expect(found.changed).toBeGreaterThan(0);
  expect(found.refused).toBeLessThan(sets / 2);
});
