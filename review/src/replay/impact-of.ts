import { eventsBetween, type Client, type Event } from "@devid/sdk";
import { InvalidInputError } from "@devid/sdk/errors";
import { countRoughly, MOST_COUNTED, type Look } from "./count-roughly";
import type { Impact } from "./impact";
import { ImpactCounter } from "./measure-impact";
import {
  REPLAY,
  replayRange,
  type ReplayOptions,
  type ReplayRange,
} from "./replay-options";
import { sampleImpact } from "./sample-impact";
import { planSample, type Slice } from "./sample-plan";

/** The progress of a replay. */
export interface ReplayProgress {
  /** Events that were replayed. */
  readonly events: number;
  /** Finished share of the work, 0 to 1. */
  readonly share: number;
}

/** Which events are read. */
export interface EventsOptions {
  /**
   * ID of the environment whose events are read. Default: all events that the key can
   * read.
   */
  readonly environment?: string;
  readonly signal?: AbortSignal;
  /** Called after each event. */
  readonly onProgress?: (progress: ReplayProgress) => void;
}

/** Which rules are replayed, on which events. */
export interface ImpactOptions extends ReplayOptions, EventsOptions {
  /**
   * About how many events are replayed, at least 100. Default: all. A range with only a
   * few more events is read completely, and the impact then has no `sample`.
   */
  readonly sample?: number;
  /**
   * Milliseconds for reading events. Random slices are read until the time is over, 40 at
   * least; the impact then has a `sample`, unless all were read.
   */
  readonly withinMs?: number;
  /** At least 0, less than 1: draws the sample. Default: `Math.random`. */
  readonly random?: () => number;
}

const FEWEST_SAMPLED = 100;

/**
 * What proposed rules would have done to the past events of an environment. It reads
 * the events from the service (docs/contract.md, "GET /events"): all events of a time
 * range, with exact results, or a sample.
 *
 * For a sample, the range is cut into equal parts, and each part into slices. Random
 * slices of each part are read completely. `RangeTotals` computes numbers and bounds from
 * them; docs/impact.md explains this.
 * @param each is called with each event, unless they are a sample
 * @throws InvalidInputError; ValidationError for a range that is older than what the
 * workspace looks back on; what `client.events.searchAll` throws
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
  each?: (event: Event) => void,
): Promise<Impact> {
  const range = replayRange(options);
  checkSizes(options);
  const { sample, withinMs, random = Math.random } = options;
  const began = performance.now();
  const stopped = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, stopped.signal])
    : stopped.signal;
  const abortable = { ...options, signal };
  try {
    const counter = new ImpactCounter(options);
    const isAll = sample === undefined && withinMs === undefined;
    const plan = isAll
      ? undefined
      : planSample(
          range,
          {
            sample,
            hasTimeLimit: withinMs !== undefined,
            total: await countRoughly(lookOf(client, abortable), range, random),
          },
          random,
        );
    if (!plan) {
      const figures = counter.figures();
      for await (const event of allEvents(client, range, abortable)) {
        counter.addEvent(event, figures);
        each?.(event);
      }
      return counter.impact(figures);
    }
    const leftMs = withinMs && withinMs - (performance.now() - began);
    return await sampleImpact(
      (slice) => eventsIn(client, slice, abortable),
      plan,
      { ...options, withinMs: leftMs, onEvent: progressReporter(options) },
      counter,
    );
  } finally {
    // Other slices may still be on their way when one has failed.
    stopped.abort();
  }
}

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

/** All events of a range, the oldest first. */
export async function* allEvents(
  client: Client,
  { start, end }: ReplayRange,
  options: EventsOptions,
): AsyncGenerator<Event> {
  const report = progressReporter(options);
  const found = eventsIn(client, { start, end: end - 1 }, options);
  for await (const event of found) {
    yield event;
    report((event.timestamp - start) / (end - start));
  }
}

const eventsIn = (client: Client, slice: Slice, options: EventsOptions) =>
  eventsBetween(slice, (range) =>
    client.events.searchAll(
      { ...filterOf(options), ...range, reverse: true },
      { signal: options.signal },
    ),
  );

/** Asks for the number of events in a time range, and reads their first page. */
function lookOf(client: Client, options: EventsOptions) {
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
    return {
      count: totalHits ?? (paginationKey ? MOST_COUNTED : events.length),
      timestamps: events.map(({ timestamp }) => timestamp),
    };
  };
}

function filterOf({ environment }: EventsOptions) {
  return environment === undefined ? {} : { environment: [environment] };
}

function progressReporter({ onProgress }: EventsOptions) {
  let events = 0;
  return (share: number) => onProgress?.({ events: ++events, share });
}
