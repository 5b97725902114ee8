import type { Database } from "./database";
import type { SqlValue } from "./table";

/**
 * Where a page starts: after or before an item, which may have been removed
 * since.
 */
export type Place = { readonly after: number } | { readonly before: number };

/** A page of rows, oldest first, and where its neighbours start. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: Place | null;
  readonly prev: Place | null;
}

/**
 * Reads a page in the order of creation (docs/contract.md, "Pagination"). A place names
 * an item and not a count, so that pages neither skip nor repeat items when items are
 * added or removed. A page of size 0 is empty and has no neighbours.
 */
export function readPage<Row>(
  db: Database,
  table: string,
  equal: Readonly<Record<string, SqlValue | undefined>>,
  place: Place,
  limit: number,
): Page<Row> {
  if (limit === 0) return { rows: [], next: null, prev: null };
  const filters = Object.entries(equal).filter(
    (entry): entry is [string, SqlValue] => entry[1] !== undefined,
  );
  const where = filters.map(([column]) => `${column} = ?`).join(" AND ");
  const values = filters.map(([, value]) => value);
  const exists = (comparison: string, seq: number): boolean =>
    db.value(
      `SELECT 1 FROM ${table} WHERE ${where} AND seq ${comparison} ? LIMIT 1`,
      ...values,
      seq,
    ) !== undefined;

  const forward = "after" in place;
  const anchor = forward ? place.after : place.before;
  const rows = db.all<Row & { readonly seq: number }>(
    `SELECT * FROM ${table} WHERE ${where} AND seq ${forward ? ">" : "<"} ?
     ORDER BY seq ${forward ? "ASC" : "DESC"} LIMIT ?`,
    ...values,
    anchor,
    limit,
  );
  if (!forward) rows.reverse();

  // If this page is empty, its neighbour starts at the anchor.
  const first = rows[0]?.seq ?? (forward ? anchor + 1 : anchor);
  const last = rows.at(-1)?.seq ?? (forward ? anchor : anchor - 1);
  return {
    rows,
    next: exists(">", last) ? { after: last } : null,
    prev: exists("<", first) ? { before: first } : null,
  };
}
