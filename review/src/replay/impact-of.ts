import { Budget } from "@devid/rules/internals";
import { eventsBetween, type Client, type Event } from "@devid/sdk";
import { InvalidInputError } from "@devid/sdk/errors";
import { MOST_COUNTED, type Look } from "./guess-total";
import type { Impact } from "./impact";
import { countImpact, ImpactCounter } from "./measure-impact";
import { planReading, type ReadingEstimate } from "./plan-reading";
import {
  REPLAY,
  replayRange,
  type ReplayOptions,
  type ReplayRange,
} from "./replay-options";
import { sampleImpact, type ReadEvents } from "./sample-impact";

/** The progress of a replay. */
export interface ReplayProgress {
  /** Events that were replayed. */
  readonly events: number;
  /** Finished share of the work, 0 to 1. */
  readonly share: number;
}

/** Which rules are replayed, on which events. */
export interface ImpactOptions extends ReplayOptions {
  /**
   * ID of the environment whose events are read. Default: all events that the key can
   * read.
   */
  readonly environment?: string;
  /**
   * About how many events are replayed, at least 100. Default: all. A range with only a
   * few more events is read completely, and the impact then has no `sample`.
   */
  readonly sample?: number;
  /**
   * Milliseconds that the replay may take. If reading all events, or the given
   * `sample`, would take longer, a smaller sample is read. Deciding the events is
   * limited in processor time; events that are left at the limit are undetermined. The
   * time for reading is estimated: it may be exceeded if the service becomes slower, or
   * if events are much denser than where they were counted.
   */
  readonly withinMs?: number;
  /**
   * Called once, before events are read, with estimates of their number and of the time
   * to read all, each right to a factor of about two. The estimate takes up to 33
   * calls.
   */
  readonly onEstimate?: (estimate: ReadingEstimate) => void;
  readonly signal?: AbortSignal;
  /** Called after each event. */
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** At least 0, less than 1: draws the sample, and the windows of the estimate. Default: `Math.random`. */
  readonly random?: () => number;
}

const FEWEST_SAMPLED = 100;

/**
 * What proposed rules would have done to the past events of an environment. It reads
 * the events from the service (docs/contract.md, "GET /events"): all events of a time
 * range, with exact results, or a sample.
 *
 * For a sample, the range is cut into equal parts. In each part, two different random
 * slices of time are read completely. The number of parts is chosen so that about
 * `sample` events are read. `RangeTotals` computes numbers and bounds from them; docs/impact.md explains
 * this.
 * @throws InvalidInputError; DeadlineTooShortError; ValidationError for a range that is older than what
 * the workspace looks back on; what `client.events.searchAll` throws
 *
 * @example
 * const impact = await impactOf(client, {
 *   proposed: readRuleFile("rules.yaml"),
 *   inForce,
 *   environment: "ae_1",
 *   start: Date.now() - 24 * 3_600_000,
 *   end: Date.now(),
 * });
 * console.log(impact.total.newlyDenied.value);
 */
export async function impactOf(
  client: Client,
  options: ImpactOptions,
): Promise<Impact> {
  const range = replayRange(options);
  checkSizes(options);
  const { withinMs = Infinity } = options;
  const budget = withinMs === Infinity ? undefined : new Budget(withinMs);
  const stopped = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, stopped.signal])
    : stopped.signal;
  const abortable = { ...options, signal };
  try {
    const counter = new ImpactCounter({ ...options, budget });
    const cost = new CostOfEvents(counter, budget);
    const plan = await planReading(
      lookOf(client, abortable, (events) => cost.measure(events)),
      range,
      {
        ...options,
        ...(budget && { withinMs: budget.leftMs }),
        callsPerSecond: callsPerSecond(client),
        eventMs: () => cost.eventMs,
      },
    );
    return plan
      ? await sampleImpact(
          slicesOf(client, abortable),
          plan,
          { ...options, onEvent: progressReporter(options) },
          counter,
        )
      : await ofAll(client, range, { ...abortable, counter });
  } finally {
    // Other slices may still be on their way when one has failed.
    stopped.abort();
  }
}

/** Measures the time to decide an event, on some of the events that the estimate reads. */
class CostOfEvents {
  #eventMs = Infinity;
  #spentMs = 0;

  constructor(
    private readonly counter: ImpactCounter,
    private readonly budget: Budget | undefined,
  ) {}

  /** In milliseconds of processor time; 0 if nothing was measured. */
  get eventMs(): number {
    return this.#eventMs === Infinity ? 0 : this.#eventMs;
  }

  measure(events: readonly Event[]): void {
    const { budget } = this;
    if (!budget) return;
    for (const event of events.slice(0, MEASURED)) {
      if (this.#spentMs > budget.limitMs * MEASURING_SHARE) return;
      const before = budget.leftMs;
      this.counter.decide(event);
      const ms = before - budget.leftMs;
      this.#spentMs += ms;
      // The first events take longer than those that follow.
      this.#eventMs = Math.min(this.#eventMs, ms);
    }
  }
}

/** The number of events of a call that are measured. */
const MEASURED = 10;
/** The share of the time that measuring may take. */
const MEASURING_SHARE = 0.02;

function checkSizes({ sample, withinMs }: ImpactOptions): void {
  const problems = [];
  const isSize = Number.isInteger(sample) && Number(sample) >= FEWEST_SAMPLED;
  if (sample !== undefined && !isSize)
    problems.push({
      property: "sample",
      message: `must be a whole number of at least ${FEWEST_SAMPLED}`,
    });
  if (withinMs !== undefined && !(withinMs > 0))
    problems.push({
      property: "withinMs",
      message: "must be a number of milliseconds above 0",
    });
  if (problems.length > 0) throw new InvalidInputError(REPLAY, problems);
}

/** A client without a rate limit reads as fast as the service answers. */
function callsPerSecond({ configuration }: Client): number {
  const { eventsRequestsPerSecond: rate } = configuration;
  return rate === "off" ? Infinity : rate;
}

function ofAll(
  client: Client,
  { start, end }: ReplayRange,
  options: ImpactOptions & { readonly counter: ImpactCounter },
): Promise<Impact> {
  const found = eventsBetween({ start, end: end - 1 }, (range) =>
    client.events.searchAll(
      { ...filterOf(options), ...range, reverse: true },
      { signal: options.signal },
    ),
  );
  const report = progressReporter(options);
  async function* counted(): AsyncGenerator<Event> {
    for await (const event of found) {
      yield event;
      report((event.timestamp - start) / (end - start));
    }
  }
  return countImpact(counted(), options.counter);
}

/** Asks for the number of events in a time range, and reads their first page. */
function lookOf(
  client: Client,
  options: ImpactOptions,
  onEvents: (events: readonly Event[]) => void,
) {
  return async ({ start, end }: ReplayRange): Promise<Look> => {
    const { events, totalHits, paginationKey } = await client.events.search(
      {
        ...filterOf(options),
        start,
        end,
        reverse: true,
        limit: 100,
        totalHits: MOST_COUNTED,
      },
      { signal: options.signal },
    );
    onEvents(events);
    return {
      count: totalHits ?? (paginationKey ? MOST_COUNTED : events.length),
      timestamps: events.map(({ timestamp }) => timestamp),
    };
  };
}

function slicesOf(client: Client, options: ImpactOptions): ReadEvents {
  return (slice) =>
    eventsBetween(slice, (range) =>
      client.events.searchAll(
        { ...filterOf(options), ...range, reverse: true },
        { signal: options.signal },
      ),
    );
}

function filterOf({ environment }: ImpactOptions) {
  return environment === undefined ? {} : { environment: [environment] };
}

function progressReporter({ onProgress }: ImpactOptions) {
  let events = 0;
  return (share: number) => onProgress?.({ events: ++events, share });
}
