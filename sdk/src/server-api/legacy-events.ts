import type { z } from "zod";
import { checkInput, pathSegment } from "../http/check-input";
import type { CallOptions } from "../http/request";
import { queryArguments, type ArgumentsOf } from "./search-arguments";
import type { SecretKeyApi } from "./server-api";
import { untilMutable, type UpdateOptions } from "./until-mutable";
import {
  LEGACY_SEARCH_PARAMETERS,
  LEGACY_VISITOR_PARAMETERS,
  LegacyEvent as LegacyEventRecord,
  LegacySearchAnswer,
  LegacyUpdate,
  LegacyVisitorAnswer,
} from "../wire/legacy";

/** An event of version 3, in the service's own form. */
export type LegacyEvent = z.output<typeof LegacyEventRecord>;

/** Visits of one visitor, in the service's own form. */
export type LegacyVisits = z.output<typeof LegacyVisitorAnswer>;

/** What an update takes; only what is given changes. */
export type LegacyUpdateArgs = z.input<typeof LegacyUpdate>;

/** What a search takes; `limit` is required, at least 1. */
export type LegacySearchArgs = ArgumentsOf<typeof LEGACY_SEARCH_PARAMETERS>;

/** What a list of visits takes. */
export type LegacyVisitorArgs = ArgumentsOf<typeof LEGACY_VISITOR_PARAMETERS>;

/** One page of a search of version 3. */
export interface LegacyPage {
  readonly events: readonly LegacyEvent[];
  /** Where the next page starts; absent on the last one. */
  readonly paginationKey?: string;
}

const searchQuery = queryArguments(LEGACY_SEARCH_PARAMETERS);
const visitorQuery = queryArguments(LEGACY_VISITOR_PARAMETERS);

/**
 * Version 3 of the events API (docs/contract.md, "Legacy version 3"). Every
 * call throws VersionEndedError once the service has switched it off.
 * @deprecated Since Jan 7 2026, off on Jan 7 2027: use `client.events`.
 */
export class LegacyEvents {
  constructor(private readonly api: SecretKeyApi) {}

  /**
   * One event by its request ID.
   * @deprecated Use `client.events.get`, which takes request IDs too.
   * @throws EventNotFoundError
   */
  async get(
    requestId: string,
    options: CallOptions = {},
  ): Promise<LegacyEvent> {
    const operation = `Reading event ${requestId} by version 3`;
    return this.api.read(LegacyEventRecord, {
      operation,
      path: `/events/${pathSegment(requestId, "requestId", operation)}`,
      errors: { 404: "eventNotFound", 410: "versionEnded" },
      signal: options.signal,
    });
  }

  /**
   * Changes an event, waiting for a new one to become mutable.
   * @deprecated Use `client.events.update`.
   * @throws EventNotMutableError when it still is too new at the deadline, EventNotFoundError
   */
  async update(
    requestId: string,
    args: LegacyUpdateArgs,
    options: UpdateOptions = {},
  ): Promise<void> {
    const operation = `Updating event ${requestId} by version 3`;
    const call = {
      operation,
      method: "PUT",
      path: `/events/${pathSegment(requestId, "requestId", operation)}`,
      body: checkInput(LegacyUpdate.strict(), args, operation),
      errors: {
        404: "eventNotFound",
        409: "eventNotMutable",
        410: "versionEnded",
      },
      signal: options.signal,
    } as const;
    await untilMutable(() => this.api.call(call), options, {
      operation,
      retry: this.api.surface.transport.retry,
    });
  }

  /**
   * One page of the events that match.
   * @deprecated Use `client.events.search` or `client.events.searchAll`.
   * @throws PaginationKeyError, SearchTimeoutError
   */
  async search(
    args: LegacySearchArgs,
    options: CallOptions = {},
  ): Promise<LegacyPage> {
    const operation = "Searching events by version 3";
    const answer = await this.api.read(LegacySearchAnswer, {
      operation,
      path: "/events/search",
      query: searchQuery(args, operation),
      errors: {
        410: "versionEnded",
        504: "searchTimeout",
      },
      finalStatuses: [504],
      signal: options.signal,
    });
    return {
      events: answer.events,
      paginationKey: answer.paginationKey || undefined,
    };
  }

  /**
   * One page of a visitor's visits, the newest first.
   * @deprecated Use `client.events.search({ visitorId })`.
   * @throws VisitorNotFoundError
   */
  async visitor(
    visitorId: string,
    args: LegacyVisitorArgs = {},
    options: CallOptions = {},
  ): Promise<LegacyVisits> {
    const operation = `Listing visits of visitor ${visitorId} by version 3`;
    return this.api.read(LegacyVisitorAnswer, {
      operation,
      path: `/visitors/${pathSegment(visitorId, "visitorId", operation)}`,
      query: visitorQuery(args, operation),
      errors: { 404: "visitorNotFound", 410: "versionEnded" },
      signal: options.signal,
    });
  }
}
