import {
  InvalidInputError,
  type Event,
  type EventSearchAllArgs,
} from "@devid/sdk";
import type { Output } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";

const DEFAULT_MAX_EVENTS = 100;
const LARGEST_MAX_EVENTS = 10_000;
const PAGE_SIZE = 100;

/** Arguments of `getEvents`: the filters of an event search, and how many events are wanted. */
export interface GetEventsArgs extends Omit<
  EventSearchAllArgs,
  "limit" | "paginationKey"
> {
  /** Most events to answer, 1 to 10000; default 100. Read page by page. */
  readonly maxEvents?: number;
}

/** What `getEvents` answers. */
export interface GetEventsResult {
  /** The newest first, or the oldest with `reverse`. */
  readonly events: Event[];
  /** Whether more events match than `maxEvents`. */
  readonly hasMore: boolean;
}

const source = defineFunction<GetEventsArgs, GetEventsResult>({
  name: "getEvents",
  run: async (
    client,
    { maxEvents = DEFAULT_MAX_EVENTS, ...filters },
    signal,
  ) => {
    if (
      !Number.isInteger(maxEvents) ||
      maxEvents < 1 ||
      maxEvents > LARGEST_MAX_EVENTS
    )
      throw new InvalidInputError("Searching events", [
        {
          property: "maxEvents",
          message: `must be a whole number from 1 to ${LARGEST_MAX_EVENTS}`,
        },
      ]);
    // One more than is wanted tells whether there are more.
    const limit = Math.min(PAGE_SIZE, maxEvents + 1);
    const events: Event[] = [];
    for await (const event of client.events.searchAll(
      { ...filters, limit },
      { signal, prefetch: maxEvents >= limit },
    )) {
      if (events.length === maxEvents) return { events, hasMore: true };
      events.push(event);
    }
    return { events, hasMore: false };
  },
});

/**
 * Identification events that match, of the last 7 days unless `start` says
 * otherwise (docs/contract.md, "GET /events").
 * @throws InvalidInputError naming the argument, SearchTimeoutError
 */
export function getEvents(
  args: GetEventsArgs = {},
  options?: FunctionOptions,
): Promise<GetEventsResult> {
  return source.ask(args, options);
}

/** `getEvents` with arguments that may be Outputs. */
export function getEventsOutput(
  args: DeepInput<GetEventsArgs> = {},
  options?: FunctionOutputOptions,
): Output<GetEventsResult> {
  return source.askOutput(args, options);
}
