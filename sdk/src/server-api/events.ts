import type { z } from "zod";
import { checkInput, pathSegment } from "../http/check-input";
import { InvalidInputError } from "../http/errors";
import type { CallOptions } from "../http/request";
import { eachEvent, type EventPage } from "./each-event";
import type { Event } from "./event";
import {
  queryArguments,
  searchOperation,
  searchQuery,
  searchRange,
  type EventSearchAllArgs,
  type EventSearchArgs,
} from "./search-arguments";
import { searchInSlices } from "./search-in-slices";
import type { SecretKeyApi } from "./server-api";
import { untilMutable, type UpdateOptions } from "./until-mutable";
import { snakeKeys, type CamelKeys } from "../wire/casing";
import { EventRecord, EventUpdate } from "../wire/event";
import { EventSearchAnswer } from "../wire/event-search";

/** Page size of `searchAll`: the largest that the service takes. */
const PAGE_SIZE = 100;

const judgedBy = queryArguments({
  ruleset_id: { kind: "text", matches: "the ruleset that judges the event" },
});

/** What an update takes: only what is given changes; `tags` takes the place of the former tags. */
export type EventUpdateArgs = CamelKeys<z.input<typeof EventUpdate>>;

/** Options of a call that reads an event. */
export interface EventGetOptions extends CallOptions {
  /** A ruleset of the dashboard; its verdict is in the event's `rule_action`. */
  readonly rulesetId?: string;
}

/** Options of a walk through all pages of a search. */
export interface EventSearchAllOptions extends CallOptions {
  /** Whether the next page is fetched while the caller works on the present one; default true. */
  readonly prefetch?: boolean;
  /** Most pages on their way at once, 1 to 32; default 1. More than one cuts the time into slices. */
  readonly concurrency?: number;
}

/** Identification events of the workspace (docs/contract.md, "Events API"). */
export class Events {
  constructor(private readonly api: SecretKeyApi) {}

  /**
   * One event (docs/contract.md, "GET /events/{event_id}").
   * @throws EventNotFoundError, RulesetNotFoundError, ValidationError for an invalid ID
   */
  async get(eventId: string, options: EventGetOptions = {}): Promise<Event> {
    const { rulesetId, signal } = options;
    const operation = `Reading event ${eventId}`;
    return this.api.read(EventRecord, {
      operation,
      path: `/events/${pathSegment(eventId, "eventId", operation)}`,
      query: judgedBy({ rulesetId }, operation),
      errors: { 404: "eventNotFound" },
      signal,
    });
  }

  /**
   * Changes an event, waiting for a new one to become mutable
   * (docs/contract.md, "PATCH /events/{event_id}").
   * @throws EventNotMutableError when it still is too new at the deadline,
   * ValidationError when it is older than a month, EventNotFoundError
   */
  async update(
    eventId: string,
    args: EventUpdateArgs,
    options: UpdateOptions = {},
  ): Promise<void> {
    const operation = `Updating event ${eventId}`;
    const call = {
      operation,
      method: "PATCH",
      path: `/events/${pathSegment(eventId, "eventId", operation)}`,
      body: checkInput(EventUpdate.strict(), snakeKeys(args), operation),
      errors: { 404: "eventNotFound", 409: "eventNotMutable" },
      signal: options.signal,
    } as const;
    await untilMutable(() => this.api.call(call), options, {
      operation,
      retry: this.api.surface.transport.retry,
    });
  }

  /**
   * One page of the events that match (docs/contract.md, "GET /events"), 10
   * unless `limit` says otherwise, of the last 7 days unless `start` does.
   * @throws InvalidInputError before anything is sent, PaginationKeyError,
   * SearchTimeoutError, which is not retried
   */
  async search(
    args: EventSearchArgs = {},
    options: CallOptions = {},
  ): Promise<EventPage> {
    const operation = searchOperation(args);
    const answer = await this.api.read(EventSearchAnswer, {
      operation,
      path: "/events",
      query: searchQuery(args, operation),
      errors: { 504: "searchTimeout" },
      finalStatuses: [504],
      signal: options.signal,
    });
    return {
      events: answer.events,
      // An empty key leads nowhere, or back to the start for ever.
      paginationKey: answer.pagination_key || undefined,
      totalHits: answer.total_hits ?? undefined,
    };
  }

  /**
   * Every event that matches, fetched page by page as the caller takes them,
   * at most one page ahead. `limit` is the size of a page, default 100;
   * `paginationKey` says where to start. With `concurrency` several pages are
   * on their way; the order stays, and each event comes once.
   *
   * @example
   * for await (const event of client.events.searchAll({ bot: "bad" }))
   *   console.log(event.event_id);
   */
  searchAll(
    args: EventSearchAllArgs = {},
    options: EventSearchAllOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    const { paginationKey, limit = PAGE_SIZE, ...filters } = args;
    const { concurrency = 1, signal } = options;
    checkConcurrency(concurrency, args);
    if (concurrency > 1)
      return searchInSlices(
        (range, key, signal) =>
          this.search(
            { ...filters, ...range, limit, paginationKey: key },
            { signal },
          ),
        {
          range: searchRange(args),
          reverse: args.reverse ?? false,
          concurrency,
          signal,
        },
      );
    return eachEvent(
      (key, signal) =>
        this.search({ ...filters, limit, paginationKey: key }, { signal }),
      { prefetch: true, ...options, paginationKey },
    );
  }
}

const MAX_CONCURRENCY = 32;

function checkConcurrency(concurrency: number, args: EventSearchAllArgs): void {
  const problems = [];
  if (
    !Number.isInteger(concurrency) ||
    concurrency < 1 ||
    concurrency > MAX_CONCURRENCY
  )
    problems.push({
      property: "concurrency",
      message: `must be a whole number from 1 to ${MAX_CONCURRENCY}`,
    });
  if (concurrency > 1 && args.paginationKey !== undefined)
    problems.push({
      property: "paginationKey",
      message: "belongs to one page after the other: leave concurrency out",
    });
  if (problems.length > 0)
    throw new InvalidInputError(searchOperation(args), problems);
}
