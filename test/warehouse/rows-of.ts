import {
  countUsage,
  measureImpact,
  UsageCounter,
  type ReplayOptions,
} from "@devid/review/replay";
import { Warehouse, type WarehouseOptions } from "@devid/warehouse";
import type { Event } from "@devid/sdk";
import { expect } from "vitest";
import { eachEvent } from "../review/replay/random-replay";
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

/** Works with the warehouse of a source, and closes it. */
export const inWarehouse = <T>(
  source: string,
  work: (warehouse: Warehouse) => Promise<T>,
  options?: WarehouseOptions,
): Promise<T> => using(Warehouse.open(source, options), work);

/** Works with a warehouse that is being opened, and closes it. */
export async function using<T>(
  opening: Promise<Warehouse>,
  work: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  const warehouse = await opening;
  try {
    return await work(warehouse);
  } finally {
    await warehouse.close();
  }
}

/**
 * Expects that a warehouse has the impact and the usage of a replay of its events.
 * @returns how many events are newly denied
 */
export async function expectReplay(
  warehouse: Warehouse,
  events: readonly Event[],
  options: ReplayOptions,
): Promise<number> {
  const impact = await warehouse.impact(options);
  expect(impact).toEqual(await measureImpact(eachEvent(events), options));
  const { start, end, proposed: rules } = options;
  const counted = { start, end, rules };
  expect(await warehouse.usage(counted)).toEqual(
    await countUsage(eachEvent(events), new UsageCounter(counted)),
  );
  return impact.newlyDenied.events;
}
