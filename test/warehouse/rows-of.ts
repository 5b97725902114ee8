import type { Warehouse } from "@devid/warehouse";
import { allRows } from "../../warehouse/src/engines/engine";

/** A column of a warehouse's table as texts, sorted. */
export async function columnOf(
  { engine }: Warehouse,
  name: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const sql = `SELECT ${name} FROM ${engine.table}`;
  const rows = await allRows(engine, sql, { signal });
  return rows.map(([cell]) => String(cell)).sort();
}
