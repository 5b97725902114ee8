import type { SqlRow } from "@devid/warehouse/sql";
import type { Chdb } from "@devid/warehouse-engines";
import type { AskedEngine } from "./agreement";

/** A ClickHouse for `compareWithEngine`. */
export const askedChdb = (chdb: Chdb): AskedEngine => ({
  async *query(sql) {
    const lines = chdb.query(sql).split("\n").filter(Boolean);
    yield await Promise.resolve(
      lines.map((line) => JSON.parse(line) as SqlRow),
    );
  },
  run(sql) {
    chdb.query(sql);
    return Promise.resolve();
  },
});
