import type { Client } from "@devid/sdk";
import {
  impactAndUsageOf,
  impactOf,
  usageOf,
  type EventsUsageOptions,
  type Impact,
  type ImpactOptions,
  type ReplayProgress,
  type Usage,
} from "@devid/review/replay";
import { Warehouse, readMapping } from "@devid/warehouse";
import { noEventsHint } from "../output/event-text";
import { withProgress } from "../output/progress";
import { UsageError } from "../errors";
import { configuredClient } from "./configured-client";
import { environmentPlace, type EnvironmentPlace, liveOf } from "./live-rules";
import type { NamedRuleSet } from "./rule-set-source";
import type { WarehouseFlags } from "../flags/shared-flags";

/** What a source of events adds to the options of a question. */
type Added = "signal" | "onProgress" | "environment";
type Replay = Omit<ImpactOptions, Added>;
type Count = Omit<EventsUsageOptions, Added>;

/** Past events of an environment. They answer questions about rules. */
export interface EventSource {
  /** What rules would have done. */
  impact(options: Replay): Promise<Impact>;
  /** What rules decided. */
  usage(options: Count): Promise<Usage>;
  /** What rules would have done, and what others decided, about the same events. */
  impactAndUsage(
    options: Replay & Pick<Count, "rules">,
  ): Promise<{ readonly impact: Impact; readonly usage: Usage }>;
}

/** Which past events are asked. */
export interface AskedEvents {
  readonly client: Client;
  /** They may name a warehouse, which is then asked in place of the service. */
  readonly flags: WarehouseFlags;
  readonly place: EnvironmentPlace;
  /**
   * Whether the user named the environment. If not, and the table of a warehouse has no
   * environments, all its events count.
   */
  readonly isNamed: boolean;
}

/** What past events say, and the environment that they are of, in words. */
interface OnEvents<T> {
  readonly words: string;
  readonly found: T;
}

/** The words of a report on all events of a warehouse. */
export const WHOLE_WAREHOUSE = "every environment of the warehouse";

/**
 * Asks past events of the service or of a warehouse. On a terminal, the question shows its
 * progress; without any event in the service, it gives a hint.
 * @throws the errors of `impactOf`, `usageOf` and `Warehouse`
 */
export async function askEvents<T>(
  asked: AskedEvents,
  question: (source: EventSource) => Promise<T>,
): Promise<OnEvents<T>> {
  const { client, flags, place } = asked;
  if (flags.events !== undefined)
    return askWarehouse(asked, flags.events, question);
  let events = 0;
  const found = await withProgress("events", ({ signal, onProgress: show }) => {
    const onProgress = (progress: ReplayProgress) => {
      ({ events } = progress);
      show(progress);
    };
    const more = { environment: place.id, signal, onProgress };
    return question({
      impact: (options) => impactOf(client, { ...options, ...more }),
      usage: (options) => usageOf(client, { ...options, ...more }),
      impactAndUsage: (options) =>
        impactAndUsageOf(client, { ...options, ...more }),
    });
  });
  if (events === 0) process.stderr.write(noEventsHint());
  return { words: place.words, found };
}

const askWarehouse = <T>(
  { flags: { mapping, maxQueryTime }, place, isNamed }: AskedEvents,
  events: string,
  question: (source: EventSource) => Promise<T>,
): Promise<OnEvents<T>> =>
  withProgress("queries", async (query) => {
    const warehouse = await Warehouse.open(events, {
      ...query,
      ...(mapping !== undefined && { mapping: readMapping(mapping) }),
      ...(maxQueryTime !== undefined && { maxSeconds: maxQueryTime / 1_000 }),
    });
    try {
      const isOne = isNamed || warehouse.hasEnvironments;
      const environment = isOne ? place.id : undefined;
      const found = await question({
        impact: (options) =>
          warehouse.impact({ ...options, environment }, query),
        usage: (options) => warehouse.usage({ ...options, environment }, query),
        impactAndUsage: (options) =>
          warehouse.impactAndUsage({ ...options, environment }, query),
      });
      const words = environment === undefined ? WHOLE_WAREHOUSE : place.words;
      return { words, found };
    } finally {
      await warehouse.close();
    }
  });

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
): Promise<AskedEvents> {
  const environments = sets.map(({ environment }) => environment);
  const client = configuredClient(flags);
  if (flags.environment === undefined && environments.includes("not known yet"))
    throw new UsageError(
      "The update that the preview shows creates the environment, so it has no past events. Choose the environment whose events to use with --environment.",
    );
  const previewed = environments.find((place) => typeof place === "object");
  const { environment } = flags;
  const place = await environmentPlace(
    liveOf(client),
    environment ?? previewed?.id,
  );
  return { client, flags, place, isNamed: environment !== undefined };
}
