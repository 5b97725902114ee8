import {
  diffOnEvents,
  type DiffOnEvents,
  type Rule,
  type RuleSetDiff,
} from "@devid/rules";
import type { Impact, Usage, UsageOptions } from "@devid/review/replay";
import { Warehouse, readMapping } from "@devid/warehouse";
import { UsageError } from "../errors";
import { withQueryProgress } from "../output/progress";
import type { EnvironmentPlace } from "./live-rules";
import type { Replay } from "./past-events";

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
 * @param timeFlag a flag that was given, of a command that reads past events only from a
 * warehouse
 * @throws UsageError
 */
export function checkWarehouseFlags(
  flags: WarehouseFlags & {
    readonly sample?: number;
    readonly within?: number;
  },
  timeFlag?: "--since" | "--until",
): void {
  const { events, mapping, maxQueryTime, sample, within } = flags;
  if (events !== undefined) {
    if (sample === undefined && within === undefined) return;
    throw new UsageError(
      "A warehouse is judged by all of its events: leave --sample and --within out.",
    );
  }
  const flag =
    mapping !== undefined
      ? "--mapping"
      : maxQueryTime !== undefined
        ? "--max-query-time"
        : timeFlag;
  if (flag !== undefined)
    throw new UsageError(`${flag} is for a warehouse of events: add --events.`);
}

/** The words of a report on all events of a warehouse. */
export const WHOLE_WAREHOUSE = "every environment of the warehouse";

/** The environment whose events of a warehouse are meant. */
export interface EnvironmentOfEvents extends EnvironmentPlace {
  /**
   * Whether the user named the environment. If not, and the table has no environments,
   * all its events count.
   */
  readonly isNamed: boolean;
}

/** The environment whose events of a warehouse are meant, by the flags of a command. */
export const environmentOfEvents = (
  place: EnvironmentPlace,
  { environment }: { readonly environment?: string },
): EnvironmentOfEvents => ({ ...place, isNamed: environment !== undefined });

/**
 * Finds out what rules would have done to the past events of a warehouse, and shows
 * the progress on a terminal.
 * @throws the errors of `Warehouse`
 */
export function warehouseImpact(
  flags: NamedWarehouse,
  replay: Omit<Replay, "environment">,
  of: EnvironmentOfEvents,
): Promise<{ readonly words: string; readonly impact: Impact }> {
  return withWarehouse(flags, async (warehouse, query) => {
    const { words, environment } = placeIn(warehouse, of);
    const options = { ...replay, environment };
    return { words, impact: await warehouse.impact(options, query) };
  });
}

/**
 * Counts the past events of a warehouse that each change of a diff decides otherwise,
 * and shows the progress on a terminal.
 * @throws the errors of `Warehouse`
 */
export function warehouseDiff(
  flags: NamedWarehouse,
  diff: { readonly before: readonly Rule[]; readonly diff: RuleSetDiff },
  replay: Omit<Replay, "environment" | "inForce" | "proposed">,
  of: EnvironmentOfEvents,
): Promise<DiffOnEvents & { readonly environment: string }> {
  return withWarehouse(flags, async (warehouse, query) => {
    const { words, environment } = placeIn(warehouse, of);
    const found = await diffOnEvents(diff.before, diff.diff, (sets) =>
      warehouse.impact(
        { ...replay, ...sets, environment, isBrief: true },
        query,
      ),
    );
    return { environment: words, ...found };
  });
}

/**
 * Counts what rules did on the past events of a warehouse, and shows the progress on a
 * terminal.
 * @throws the errors of `Warehouse`
 */
export function warehouseUsage(
  flags: NamedWarehouse,
  options: UsageOptions,
  of: EnvironmentOfEvents,
): Promise<{ readonly words: string; readonly usage: Usage }> {
  return withWarehouse(flags, async (warehouse, query) => {
    const { words, environment } = placeIn(warehouse, of);
    const asked = { ...options, environment };
    return { words, usage: await warehouse.usage(asked, query) };
  });
}

function placeIn(
  warehouse: Warehouse,
  { id, words, isNamed }: EnvironmentOfEvents,
): { readonly words: string; readonly environment?: string } {
  if (id !== undefined && (isNamed || warehouse.hasEnvironments))
    return { words, environment: id };
  return { words: WHOLE_WAREHOUSE };
}

type Query = Parameters<Parameters<typeof withQueryProgress>[0]>[0];

function withWarehouse<T>(
  { events, mapping, maxQueryTime }: NamedWarehouse,
  work: (warehouse: Warehouse, query: Query) => Promise<T>,
): Promise<T> {
  return withQueryProgress(async (query) => {
    const warehouse = await Warehouse.open(events, {
      ...query,
      ...(mapping !== undefined && { mapping: readMapping(mapping) }),
      ...(maxQueryTime !== undefined && { maxSeconds: maxQueryTime / 1_000 }),
    });
    try {
      return await work(warehouse, query);
    } finally {
      await warehouse.close();
    }
  });
}
