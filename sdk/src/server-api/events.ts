import type * as z from "zod";
import { eachOfPages } from "../http/each-page";
import { objectArgument } from "../http/object-argument";
import { callOptions, type CallOptions } from "../http/request";
import type { Event } from "./event";
import type { EventSearchAllArgs, EventSearchArgs } from "./search-arguments";
import type { ServerApi } from "./server-api";
import type { CamelKeys } from "../wire/casing";
import type { EventUpdate } from "../wire/event-update";

/** One page of a search. */
export interface EventPage {
  /** Newest first; with `reverse`, oldest first. */
  readonly events: readonly Event[];
  /** Where the next page starts; absent on the last page. */
  readonly paginationKey?: string;
  /** How many events match, counted up to the requested `totalHits`. */
  readonly totalHits?: number;
}

/** Page size of `searchAll`: the largest that the service takes. */
const PAGE_SIZE = 100;

/** For messages. */
const SEARCHING = "Searching events";

/**
 * The changes of an event. A field that is left out keeps its value. `tags` replaces
 * all former tags.
 */
export type EventUpdateArgs = CamelKeys<z.input<typeof EventUpdate>>;

/** Options of a call that reads an event. */
export interface EventGetOptions extends CallOptions {
  /** A ruleset of the dashboard; its verdict is in the event's `rule_action`. */
  readonly rulesetId?: string | undefined;
}

/** Options of a walk through all pages of a search. */
export interface EventSearchAllOptions extends CallOptions {
  /** Whether the next page is fetched while the caller works on the present one; default true. */
  readonly prefetch?: boolean | undefined;
}

/** Identification events of the workspace (docs/contract.md, "Events API"). */
export class Events {
  constructor(private readonly api: ServerApi) {}

  /**
   * One event (docs/contract.md, "GET /events/{event_id}").
   * @throws EventNotFoundError, RulesetNotFoundError, ValidationError for an invalid ID,
   * ServerError when every attempt was answered with 500 or 504
   *
   * @example
   * const { identification, bot } = await client.events.get(eventId);
   */
  get(eventId: string, options: EventGetOptions = {}): Promise<Event> {
    const { rulesetId } = { ...options };
    return this.api.call(
      "getEvent",
      { id: eventId, args: { rulesetId } },
      options,
    );
  }

  /**
   * Changes an event. If the event is too new to be changed, the call is repeated until
   * the event is mutable (docs/contract.md, "PATCH /events/{event_id}").
   * @throws EventNotMutableError when the event is still too new at the end of the retry budget,
   * ValidationError when the event is older than a month, EventNotFoundError,
   * ServerError when every attempt was answered with 500
   *
   * @example
   * await client.events.update(eventId, { linkedId: "user-1", suspect: true });
   */
  async update(
    eventId: string,
    args: EventUpdateArgs,
    options: CallOptions = {},
  ): Promise<void> {
    await this.api.call("updateEvent", { id: eventId, body: args }, options);
  }

  /**
   * One page of the events that match (docs/contract.md, "GET /events"). Defaults: 10
   * events, of the last 7 days. A key of one environment finds only the events of that
   * environment, so an empty page may mean that the key belongs to another environment.
   * @throws InvalidInputError before anything is sent, PaginationKeyError,
   * SearchTimeoutError when the answer was 504, which is not retried, ServerError when
   * every attempt was answered with 500
   *
   * @example
   * const { events, paginationKey } = await client.events.search({
   *   visitorId,
   *   start: new Date(Date.now() - 3_600_000),
   * });
   */
  async search(
    args: EventSearchArgs = {},
    options: CallOptions = {},
  ): Promise<EventPage> {
    const page = await this.searching(args);
    return page(undefined, options);
  }

  /** Checks the arguments of a search, once for all its pages. */
  private async searching(args: EventSearchArgs) {
    const { filtersIn, queryOf, SERVER_OPERATIONS } =
      await import("./schemas.js");
    const label = filtersIn(objectArgument(args, SEARCHING));
    const first = queryOf(
      SERVER_OPERATIONS.searchEvents.query,
      args,
      `${SEARCHING} ${label}`,
    );
    /** The first page, or the page with a key. */
    return async (
      key: string | undefined,
      options: CallOptions,
    ): Promise<EventPage> => {
      const others = first.filter(([name]) => name !== "pagination_key");
      const query =
        key === undefined
          ? first
          : [...others, ["pagination_key", key] as const];
      const answer = await this.api.call(
        "searchEvents",
        { label, query },
        options,
      );
      return {
        events: answer.events,
        // An empty key would lead to the first page again.
        paginationKey: answer.pagination_key || undefined,
        totalHits: answer.total_hits ?? undefined,
      };
    };
  }

  /**
   * Every event that matches. Pages are fetched as the caller reads events, at most one
   * page ahead. `limit` is the size of a page, default 100. `paginationKey` says where
   * to start.
   *
   * @example
   * for await (const event of client.events.searchAll({ bot: "bad" }))
   *   console.log(event.event_id);
   */
  async *searchAll(
    args: EventSearchAllArgs = {},
    options: EventSearchAllOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    const {
      paginationKey,
      limit = PAGE_SIZE,
      ...filters
    } = objectArgument(args, SEARCHING);
    const { signal, ...ofPage } = callOptions(options, SEARCHING);
    const { prefetch = true } = options;
    const pageAt = await this.searching({ ...filters, limit, paginationKey });
    yield* eachOfPages(
      SEARCHING,
      async (key, signal) => {
        const page = await pageAt(key, { ...ofPage, signal });
        return { items: page.events, next: page.paginationKey };
      },
      { prefetch, signal, first: paginationKey },
    );
  }
}
