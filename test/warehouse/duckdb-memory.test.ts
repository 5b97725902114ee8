import { afterEach, expect, it } from "vitest";
import { DuckDb } from "../../warehouse/src/engines/duckdb";

let duckdb: DuckDb;
afterEach(() => duckdb.close());

/**
 * A query whose single group needs about 16 MB that cannot be moved to a temporary
 * folder.
 */
const LARGE =
  "SELECT length(string_agg(md5(range::VARCHAR), '')) FROM range(250000)";

async function answer(limits: { memoryMb: number; mostMemoryMb?: number }) {
  duckdb = await DuckDb.open({ title: "nothing", ...limits });
  const found = [];
  for await (const rows of duckdb.query(LARGE)) found.push(...rows);
  return found;
}

it("a query that runs out of memory is repeated with a higher limit", async () => {
  const limits = { memoryMb: 10, mostMemoryMb: 160 };
  expect(await answer(limits)).toEqual([[8_000_000n]]);
});

it("a configured limit is kept, and the error names the setting", async () => {
  await expect(answer({ memoryMb: 10 })).rejects.toThrow(
    /Out of Memory.*DEVID_DUCKDB_MEMORY_MB/,
  );
});
