import { labelOf } from "../kind-of";
import type * as z from "zod";
import type { CallOptions } from "../http/request";
import type { ArgumentsOf } from "./search-arguments";
import type { ServerApi } from "./server-api";
import { untilMutable, type UpdateOptions } from "./until-mutable";
import type {
  LEGACY_SEARCH_PARAMETERS,
  LEGACY_VISITOR_PARAMETERS,
  LegacyEvent as LegacyEventRecord,
  LegacyRelatedVisitors,
  LegacyUpdate,
  LegacyVisitorAnswer,
} from "../wire/legacy";

/** An event of version 3, in the service's own form. */
export type LegacyEvent = z.output<typeof LegacyEventRecord>;

/** Visits of one visitor, in the service's own form. */
export type LegacyVisits = z.output<typeof LegacyVisitorAnswer>;

/** Visitors that are browsers of one mobile device, in the service's own form. */
export type LegacyRelated = z.output<typeof LegacyRelatedVisitors>;

/** The changes of an event. A member that is left out keeps its value. */
export type LegacyUpdateArgs = z.input<typeof LegacyUpdate>;

/** The arguments of a search. `limit` is required and at least 1. */
export type LegacySearchArgs = ArgumentsOf<typeof LEGACY_SEARCH_PARAMETERS>;

/** The arguments of a list of visits. */
export type LegacyVisitorArgs = ArgumentsOf<typeof LEGACY_VISITOR_PARAMETERS>;

/** One page of a search of version 3. */
export interface LegacyPage {
  readonly events: readonly LegacyEvent[];
  /** Where the next page starts; absent on the last one. */
  readonly paginationKey?: string;
}

/**
 * Version 3 of the events API (docs/contract.md, "Legacy version 3"). After the service
 * has switched version 3 off, every call throws VersionEndedError.
 * @deprecated Since Jan 7 2026, off on Jan 7 2027: use `client.events`.
 */
export class LegacyEvents {
  constructor(private readonly api: ServerApi) {}

  /**
   * One event by its request ID.
   * @deprecated Use `client.events.get`, which takes request IDs too.
   * @throws EventNotFoundError, ServerError when every attempt was answered with 5xx
   *
   * @example
   * const { products } = await client.legacy.get(requestId);
   */
  get(requestId: string, options: CallOptions = {}): Promise<LegacyEvent> {
    return this.api.call("getLegacyEvent", { id: requestId }, options);
  }

  /**
   * Changes an event. If the event is too new to be changed, the call is repeated until
   * the event is mutable.
   * @deprecated Use `client.events.update`.
   * @throws EventNotMutableError when the event is still too new at the deadline,
   * EventNotFoundError
   *
   * @example
   * await client.legacy.update(requestId, { suspect: true });
   */
  async update(
    requestId: string,
    args: LegacyUpdateArgs,
    options: UpdateOptions = {},
  ): Promise<void> {
    await untilMutable(
      this.api,
      (own) =>
        this.api.call("updateLegacyEvent", { id: requestId, body: args }, own),
      {
        ...options,
        operation: `Updating event ${labelOf(requestId)} by version 3`,
      },
    );
  }

  /**
   * One page of the events that match.
   * @deprecated Use `client.events.search` or `client.events.searchAll`.
   * @throws PaginationKeyError, SearchTimeoutError when the answer was 504, which is
   * not retried, ServerError when every attempt was answered with 500
   *
   * @example
   * const { events } = await client.legacy.search({ limit: 10, visitorId });
   */
  async search(
    args: LegacySearchArgs,
    options: CallOptions = {},
  ): Promise<LegacyPage> {
    const answer = await this.api.call("searchLegacyEvents", { args }, options);
    return {
      events: answer.events,
      paginationKey: answer.paginationKey || undefined,
    };
  }

  /**
   * One page of a visitor's visits, the newest first.
   * @deprecated Use `client.events.search({ visitorId })`.
   * @throws VisitorNotFoundError
   *
   * @example
   * const { visits } = await client.legacy.visitor(visitorId, { limit: 10 });
   */
  visitor(
    visitorId: string,
    args: LegacyVisitorArgs = {},
    options: CallOptions = {},
  ): Promise<LegacyVisits> {
    return this.api.call("listLegacyVisits", { id: visitorId, args }, options);
  }

  /**
   * Other visitors of the last 6 months that are browsers of the same mobile device.
   * Version 4 does not have this call.
   * @deprecated Ends with version 3.
   * @throws FeatureNotEnabledError unless the workspace has the feature,
   * VisitorNotFoundError
   *
   * @example
   * const { relatedVisitors } = await client.legacy.relatedVisitors(visitorId);
   */
  relatedVisitors(
    visitorId: string,
    options: CallOptions = {},
  ): Promise<LegacyRelated> {
    return this.api.call(
      "listLegacyRelatedVisitors",
      { label: visitorId, args: { visitorId } },
      options,
    );
  }

  /**
   * Asks the service to delete what it has stored about a visitor.
   * @deprecated Use `client.visitors.delete`.
   * @throws FeatureNotEnabledError unless the plan has the feature,
   * VisitorNotFoundError, ThrottledError when the quota is used up
   *
   * @example
   * await client.legacy.deleteVisitor(visitorId);
   */
  async deleteVisitor(
    visitorId: string,
    options: CallOptions = {},
  ): Promise<void> {
    await this.api.call("deleteLegacyVisitorData", { id: visitorId }, options);
  }
}
