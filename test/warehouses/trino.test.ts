// @module-tag trino
import type { QueryRows, SqlRow } from "@devid/warehouse/sql";
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
import { expectAgreement } from "../warehouse/sql/agreement";
import { expectReplay, inWarehouse } from "../warehouse/rows-of";
import { storeInTrino } from "./stored-tables";

const EVENTS = 2_000;
const SETS = 5;
const seed = 20251120;

let trino: TrinoCluster;
beforeAll(async () => {
  trino = await TrinoCluster.start(2);
});
afterAll(() => trino?.stop());

const query: QueryRows = async function* (sql) {
  yield (await trino.run(sql)) as readonly SqlRow[];
};

it("Trino gives the same answer as partial evaluation for every event", async () => {
  const run = async (sql: string) => {
    await trino.run(sql);
  };
  // No pattern is in SQL for Trino.
  await expectAgreement("trino", { query, run }, 1 / 8);
});

it("a table on two nodes has the impact and the usage of a replay", async () => {
  const events = fc.sample(event, { numRuns: EVENTS, seed });
  await storeInTrino(trino, events);
  const source = `trino:${trino.url}?catalog=memory&schema=default&table=events`;
  await inWarehouse(source, async (warehouse) => {
    const sets = fc.sample(fc.tuple(rules(compound), rules(compound)), {
      numRuns: SETS,
      seed,
    });
    let changed = 0;
    for (const [inForce, proposed] of sets)
      changed += await expectReplay(warehouse, events, {
        ...{ start: START, end: END, inForce, proposed },
      });
    expect(changed).toBeGreaterThan(0);
  });
});
