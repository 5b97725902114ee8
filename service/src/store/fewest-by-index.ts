import type { Database } from "./database";
import type { Condition } from "./event-conditions";
import type { EventWalk } from "./event-walk";

/** Events of a segment; the schema has it as `seq >> 14`. */
const SEGMENT = 2 ** 14;

/**
 * The index that leaves the fewest events to look at, where there are no more
 * of them than `most`, and the condition that goes with it.
 */
export function fewestByIndex(
  db: Database,
  { conditions, lastSeq }: EventWalk,
  most: number,
): { readonly index: string; readonly segments: Condition } | undefined {
  const candidates = conditions.filter(({ index }) => index !== undefined);
  if (candidates.length === 0) return undefined;
  const segments = segmentsUpTo(db, lastSeq);
  let fewest = most + 1;
  let found: string | undefined;
  for (const { index, sql, values } of candidates) {
    const row = db.get<{ n: number }>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM events INDEXED BY ${index}
          WHERE ${segments.sql} AND ${sql} LIMIT ?)`,
      ...segments.values,
      ...values,
      fewest,
    );
    if (row === undefined || row.n >= fewest) continue;
    fewest = row.n;
    found = index;
  }
  return found === undefined ? undefined : { index: found, segments };
}

/** Every segment that holds events: the indexes by value begin with it. */
function segmentsUpTo(db: Database, lastSeq: number): Condition {
  const row = db.get<{ seq: number | null }>(
    "SELECT min(seq) AS seq FROM events",
  );
  const first = Math.floor((row?.seq ?? lastSeq) / SEGMENT);
  const count = Math.floor(lastSeq / SEGMENT) - first + 1;
  const segments = Array.from({ length: count }, (_, n) => first + n);
  return {
    sql: "segment IN (SELECT value FROM json_each(?))",
    values: [JSON.stringify(segments)],
  };
}
