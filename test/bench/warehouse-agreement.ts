import { parseArgs } from "node:util";
import type { DialectName } from "@devid/warehouse/sql";
import { openChdb } from "@devid/warehouse-engines";
import {
  type AskedEngine,
  compareWithEngine,
} from "../warehouse/sql/agreement";
import { askedChdb } from "../warehouse/sql/asked-chdb";
import { askedDuckDb } from "../warehouse/sql/duckdb";
import { sampledPairs } from "../warehouse/sql/sampled-pairs";

/**
 * Pairs in a batch. The seed of a batch comes from the seed of the run and the batch's
 * number.
 */
const BATCH = 20_000;

const ENGINES: Partial<Record<DialectName, () => Promise<AskedEngine>>> = {
  duckdb: askedDuckDb,
  clickhouse: async () => askedChdb(await openChdb()),
};

/**
 * Compares the evaluator with an engine, batch by batch. `--from` with a batch number
 * continues an interrupted run. Each difference is printed at once.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      engine: { type: "string", default: "duckdb" },
      pairs: { type: "string", default: "1000000" },
      seed: { type: "string", default: "20251120" },
      from: { type: "string", default: "1" },
    },
  });
  const dialect = values.engine as DialectName;
  const open = ENGINES[dialect];
  if (!open)
    throw new Error(`--engine is ${Object.keys(ENGINES).join(" or ")}`);
  const engine = await open();
  const batches = Math.ceil(Number(values.pairs) / BATCH);
  let [pairs, differences, bySql] = [0, 0, 0];
  for (let batch = Number(values.from); batch <= batches; batch++) {
    const startedAt = performance.now();
    const seed = Number(values.seed) + batch;
    const sampled = sampledPairs({ pairs: BATCH, seed });
    const found = await compareWithEngine(dialect, engine, sampled);
    pairs += found.pairs;
    differences += found.differences.length;
    bySql += found.bySql;
    for (const one of found.differences.slice(0, 10))
      console.log(JSON.stringify(one));
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(
      `${dialect}, seed ${values.seed}, batch ${batch} of ${batches} in ${seconds.toFixed(1)} s: ${pairs} pairs, ${differences} differences, ${bySql} pairs with answers of the engine`,
    );
  }
  process.exit(differences > 0 ? 1 : 0);
}

void main();
