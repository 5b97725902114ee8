import { UsageError } from "../errors";

/** The flags that choose a warehouse of past events, as commander parses them. */
export interface WarehouseFlags {
  /** Where past events are kept; left out, they are read from the events API. */
  readonly events?: string;
  readonly mapping?: string;
  /** In milliseconds. */
  readonly maxQueryTime?: number;
}

/** Flags of a command that name a warehouse. */
export type NamedWarehouse = WarehouseFlags & { readonly events: string };

/** Whether flags name a warehouse. */
export const namesWarehouse = <Flags extends WarehouseFlags>(
  flags: Flags,
): flags is Flags & NamedWarehouse => flags.events !== undefined;

/**
 * Refuses flags that have no effect with a warehouse, or without a warehouse.
 * @throws UsageError
 */
export function checkWarehouseFlags(
  flags: WarehouseFlags & {
    readonly sample?: number;
    readonly within?: number;
  },
): void {
  const { events, mapping, maxQueryTime, sample, within } = flags;
  if (events !== undefined) {
    if (sample === undefined && within === undefined) return;
    throw new UsageError(
      "A warehouse is judged by all of its events: leave --sample and --within out.",
    );
  }
  const [flag] = Object.entries({
    "--mapping": mapping,
    "--max-query-time": maxQueryTime,
  }).find(([, value]) => value !== undefined) ?? [undefined];
  if (flag !== undefined)
    throw new UsageError(`${flag} is for a warehouse of events: add --events.`);
}
