import type { Client } from "../../client";
import type { Event } from "../../events/event";
import { eventsBetween } from "../../events/events-between";
import { InvalidInputError } from "../../http/errors";
import type { Impact } from "./impact";
import { measureImpact } from "./measure-impact";
import type { ReadEvents } from "./read-events";
import {
  REPLAY,
  replayRange,
  type ReplayOptions,
  type ReplayRange,
} from "./replay-options";
import { guessTotal } from "./sample/guess-total";
import { sampleImpact } from "./sample/sample-impact";
import { drawSlices } from "./sample/sample-plan";

/** How far a replay has come. */
export interface ReplayProgress {
  /** Events that were looked at. */
  readonly events: number;
  /** Part of the work that is done, 0 to 1. */
  readonly share: number;
}

/** What is replayed, and which events. */
export interface ImpactOptions extends ReplayOptions {
  /** ID of the environment whose events are read; left out, those of all that the key sees. */
  readonly environment?: string;
  /**
   * About how many events are looked at, 100 at least; left out, all. A range
   * that holds hardly more is read whole, and the impact then has no `sample`.
   */
  readonly sample?: number;
  readonly signal?: AbortSignal;
  /** Called after each event. */
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** At least 0, less than 1: draws the sample. Default: `Math.random`. */
  readonly random?: () => number;
}

const FEWEST_SAMPLED = 100;

/** Pages on their way at once. */
const CONCURRENCY = 8;

/**
 * What proposed rules would have done to the past events of an environment,
 * which are read as they are needed (docs/contract.md, "GET /events"): to all
 * of a time range, exactly, or to a sample of them.
 *
 * A sample is made of slices of time that are read whole, two different ones
 * drawn from each of as many equal parts of the range as come to about `sample`
 * events; each slice of a part is as likely as any other. `RangeTotals` says how
 * numbers and bounds follow from them; docs/impact.md tells it at length.
 * @throws InvalidInputError; ValidationError for a range that is older than what
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
  const stopped = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, stopped.signal])
    : stopped.signal;
  try {
    return (
      (await ofSample(client, range, { ...options, signal })) ??
      (await ofAll(client, range, { ...options, signal }))
    );
  } finally {
    // Other slices may still be on their way when one has failed.
    stopped.abort();
  }
}

function ofAll(
  client: Client,
  { start, end }: ReplayRange,
  options: ImpactOptions,
): Promise<Impact> {
  const found = eventsBetween({ start, end: end - 1 }, (range) =>
    client.events.searchAll(
      { ...filterOf(options), ...range, reverse: true },
      { concurrency: CONCURRENCY, signal: options.signal },
    ),
  );
  const tell = progressTeller(options);
  async function* told(): AsyncGenerator<Event> {
    for await (const event of found) {
      yield event;
      tell((event.timestamp - start) / (end - start));
    }
  }
  return measureImpact(told(), options);
}

/** Undefined where all events are to be read. */
async function ofSample(
  client: Client,
  range: ReplayRange,
  options: ImpactOptions,
): Promise<Impact | undefined> {
  const { sample: events, signal, random = Math.random } = options;
  if (events === undefined) return undefined;
  if (!Number.isInteger(events) || events < FEWEST_SAMPLED)
    throw new InvalidInputError(REPLAY, [
      {
        property: "sample",
        message: `must be a whole number of at least ${FEWEST_SAMPLED}`,
      },
    ]);
  const read: ReadEvents = (slice, limit) =>
    eventsBetween(slice, (range) =>
      client.events.searchAll(
        { ...filterOf(options), ...range, limit, reverse: true },
        { prefetch: limit === undefined, signal },
      ),
    );
  const total = await guessTotal(read, range, random);
  const plan = drawSlices(range, { events, total }, random);
  const onEvent = progressTeller(options);
  return plan && sampleImpact(read, plan, { ...options, onEvent });
}

function filterOf({ environment }: ImpactOptions) {
  return environment === undefined ? {} : { environment: [environment] };
}

function progressTeller({ onProgress }: ImpactOptions) {
  let events = 0;
  return (share: number) => onProgress?.({ events: ++events, share });
}
