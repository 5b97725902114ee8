import type { Client } from "@devid/sdk";
import {
  diffOnEvents,
  type DiffOnEvents,
  type Rule,
  type RuleSetDiff,
} from "@devid/rules";
import {
  impactAndUsageOf,
  impactOf,
  usageOf,
  type EventsUsageOptions,
  type Impact,
  type ImpactOptions,
  type Usage,
} from "@devid/review/replay";
import { Warehouse, readMapping } from "@devid/warehouse";
import { noEventsHint } from "../output/event-text";
import { withEventProgress, withQueryProgress } from "../output/progress";
import { UsageError } from "../errors";
import { configuredClient } from "./configured-client";
import { environmentPlace, type EnvironmentPlace } from "./live-rules";
import type { NamedRuleSet } from "./rule-set-source";
import { namesWarehouse, type WarehouseFlags } from "./warehouse-events";

/** What the progress of reading, and the environment, add to options. */
type Added = "signal" | "onProgress" | "environment";

/** The words of a report on all events of a warehouse. */
export const WHOLE_WAREHOUSE = "every environment of the warehouse";

/** What past events say, and the environment that they are of, in words. */
interface OnEvents<T> {
  readonly words: string;
  readonly found: T;
}

/** An impact, and the usage of rules on the same events. */
export interface ImpactAndUsage {
  readonly impact: Impact;
  readonly usage: Usage;
}

/** A question to a warehouse about the events of an environment, or about all. */
type WarehouseWork<T> = (
  warehouse: Warehouse,
  environment: string | undefined,
  query: Parameters<Parameters<typeof withQueryProgress>[0]>[0],
) => Promise<T>;

/**
 * The past events of an environment: those of the service, or those of the warehouse that
 * the flags name. On a terminal, each question shows its progress; without any event in the
 * service, it gives a hint.
 */
export class PastEvents {
  /**
   * @param isNamed whether the user named the environment. If not, and the table of a
   * warehouse has no environments, all its events count
   */
  constructor(
    private readonly client: Client,
    private readonly flags: WarehouseFlags,
    private readonly place: EnvironmentPlace,
    private readonly isNamed: boolean,
  ) {}

  /** What rules would have done. @throws the errors of `impactOf` and of `Warehouse` */
  impact(replay: Omit<ImpactOptions, Added>): Promise<OnEvents<Impact>> {
    return this.#ask(
      (more) => impactOf(this.client, { ...replay, ...more }),
      (warehouse, environment, query) =>
        warehouse.impact({ ...replay, environment }, query),
      ({ events }) => events,
    );
  }

  /** What rules decided. @throws the errors of `usageOf` and of `Warehouse` */
  usage(options: Omit<EventsUsageOptions, Added>): Promise<OnEvents<Usage>> {
    return this.#ask(
      (more) => usageOf(this.client, { ...options, ...more }),
      (warehouse, environment, query) =>
        warehouse.usage({ ...options, environment }, query),
      ({ events }) => events,
    );
  }

  /** What rules would have done, and what others decided, about the same events. */
  impactAndUsage(
    options: Omit<ImpactOptions, Added> & Pick<EventsUsageOptions, "rules">,
  ): Promise<OnEvents<ImpactAndUsage>> {
    return this.#ask(
      (more) => impactAndUsageOf(this.client, { ...options, ...more }),
      (warehouse, environment, query) =>
        warehouse.impactAndUsage({ ...options, environment }, query),
      ({ impact }) => impact.events,
    );
  }

  /**
   * How many events of the warehouse each change of a diff decides otherwise; undefined
   * without a warehouse.
   * @throws the errors of `Warehouse`
   */
  async diff(
    before: readonly Rule[],
    diff: RuleSetDiff,
    range: Pick<ImpactOptions, "start" | "end">,
  ): Promise<OnEvents<DiffOnEvents> | undefined> {
    return this.#inWarehouse((warehouse, environment, query) =>
      diffOnEvents(before, diff, (sets) =>
        warehouse.impact(
          { ...range, ...sets, environment, isBrief: true },
          query,
        ),
      ),
    );
  }

  async #ask<T>(
    inService: (
      more: Pick<ImpactOptions, Added & keyof ImpactOptions>,
    ) => Promise<T>,
    inWarehouse: WarehouseWork<T>,
    eventsOf: (found: T) => number,
  ): Promise<OnEvents<T>> {
    const asked = await this.#inWarehouse(inWarehouse);
    if (asked) return asked;
    const { id: environment, words } = this.place;
    const found = await withEventProgress((onProgress, signal) =>
      inService({ environment, onProgress, signal }),
    );
    if (eventsOf(found) === 0) process.stderr.write(noEventsHint());
    return { words, found };
  }

  async #inWarehouse<T>(
    work: WarehouseWork<T>,
  ): Promise<OnEvents<T> | undefined> {
    const { flags, place } = this;
    if (!namesWarehouse(flags)) return undefined;
    const { events, mapping, maxQueryTime } = flags;
    return withQueryProgress(async (query) => {
      const warehouse = await Warehouse.open(events, {
        ...query,
        ...(mapping !== undefined && { mapping: readMapping(mapping) }),
        ...(maxQueryTime !== undefined && { maxSeconds: maxQueryTime / 1_000 }),
      });
      try {
        const isOne = this.isNamed || warehouse.hasEnvironments;
        const environment = isOne ? place.id : undefined;
        const words = environment === undefined ? WHOLE_WAREHOUSE : place.words;
        return { words, found: await work(warehouse, environment, query) };
      } finally {
        await warehouse.close();
      }
    });
  }
}

/**
 * The past events of the environment of two rule sets: the user's choice, then the
 * preview's environment, then the default environment.
 * @throws UsageError when the environment of the preview is not there yet
 */
export async function eventsOf(
  sets: readonly NamedRuleSet[],
  flags: WarehouseFlags & {
    readonly environment?: string;
    readonly region?: string;
  },
): Promise<PastEvents> {
  const environments = sets.map(({ environment }) => environment);
  const client = configuredClient(flags);
  if (flags.environment === undefined && environments.includes("not known yet"))
    throw new UsageError(
      "The update that the preview shows creates the environment, so it has no past events. Choose the environment whose events to use with --environment.",
    );
  const previewed = environments.find((place) => typeof place === "object");
  const { environment } = flags;
  const place = await environmentPlace(client, environment ?? previewed?.id);
  return new PastEvents(client, flags, place, environment !== undefined);
}
