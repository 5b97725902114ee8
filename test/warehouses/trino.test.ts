// @module-tag trino
import type { Event } from "@devid/sdk";
import { countUsage, measureImpact, UsageCounter } from "@devid/review/replay";
import { RuleSetDiffs } from "@devid/rules";
import { type QueryRows, quotedText, type SqlRow } from "@devid/warehouse/sql";
import { Warehouse } from "@devid/warehouse";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TrinoCluster } from "../../tools/warehouse/src";
import {
  compound,
  END,
  event,
  rules,
  START,
} from "../review/replay/random-replay";
import { compareWithEngine } from "../warehouse/sql/agreement";
import { sampledPairs } from "../warehouse/sql/sampled-pairs";
import {
  eachEvent,
  STORED_COLUMNS,
  storedCells,
} from "../warehouse/sql/stored-events";

const EVENTS = 2_000;
const SETS = 5;
const seed = 20251120;

let trino: TrinoCluster;
beforeAll(async () => {
  trino = await TrinoCluster.start({ workers: 2 });
});
afterAll(() => trino?.stop());

const query: QueryRows = async function* (sql) {
  yield (await trino.run(sql)) as readonly SqlRow[];
};

it("Trino gives the same answer as partial evaluation for every event", async () => {
  const { pairs, ...sampled } = sampledPairs();
  const run = async (sql: string) => {
    await trino.run(sql);
  };
  const found = await compareWithEngine("trino", { query, run }, sampled);
  expect(found.differences.slice(0, 10)).toEqual([]);
  expect(found.pairs).toBeGreaterThan(pairs);
  expect(found.refused.length).toBeLessThan(pairs / 100);
});

const TYPES = { text: "varchar", number: "double", time: "bigint" };

async function makeTable(events: readonly Event[]): Promise<void> {
  const columns = STORED_COLUMNS.map(
    ({ name, kind }) => `${name} ${TYPES[kind]}`,
  );
  await trino.run(`CREATE TABLE events (${columns.join(", ")})`);
  const cell = (value: string | number | null) =>
    typeof value === "string" ? quotedText("trino", value) : String(value);
  for (let at = 0; at < events.length; at += 500) {
    const rows = events
      .slice(at, at + 500)
      .map((one) => `(${storedCells(one).map(cell).join(", ")})`);
    await trino.run(`INSERT INTO events VALUES ${rows.join(", ")}`);
  }
}

it("a table on two nodes has the impact and the usage of a replay", async () => {
  const events = fc.sample(event, { numRuns: EVENTS, seed });
  await makeTable(events);
  const warehouse = await Warehouse.open(
    `trino:${trino.url}?catalog=memory&schema=default&table=events`,
  );
  try {
    const sets = fc.sample(fc.tuple(rules(compound), rules(compound)), {
      numRuns: SETS,
      seed,
    });
    let changed = 0;
    for (const [inForce, proposed] of sets) {
      const range = { start: START, end: END };
      const diffs = new RuleSetDiffs();
      const options = { ...range, inForce, proposed, diffs };
      const found = await warehouse.impact(options);
      expect(found).toEqual(await measureImpact(eachEvent(events), options));
      if (found.newlyDenied.events > 0) changed++;
      const counted = { ...range, rules: proposed };
      expect(await warehouse.usage(counted)).toEqual(
        await countUsage(eachEvent(events), new UsageCounter(counted)),
      );
    }
    expect(changed).toBeGreaterThan(0);
  } finally {
    await warehouse.close();
  }
});
