import { camelKeys } from "../casing";
import { InvalidInputError } from "../http/errors";
import {
  queryArguments,
  type ArgumentsOf,
  type Query,
} from "./query-arguments";
import { EVENT_PAGE_PARAMETERS, EVENT_SEARCH_PARAMETERS } from "./wire";

/**
 * What a search takes: every parameter of `GET /events` (docs/contract.md,
 * "GET /events"), in camelCase. Those that the service lets repeat are arrays;
 * `start` and `end` are a Date, an RFC 3339 date-time or Unix milliseconds.
 */
export type EventSearchArgs = ArgumentsOf<typeof EVENT_SEARCH_PARAMETERS>;

/** What a search of all pages takes. */
export type EventSearchAllArgs = Omit<EventSearchArgs, "totalHits">;

const toQuery = queryArguments(EVENT_SEARCH_PARAMETERS);

/**
 * The query of a search.
 * @throws InvalidInputError naming every argument that is wrong or not known
 */
export function searchQuery(args: EventSearchArgs, operation: string): Query {
  const query = toQuery(args, operation);
  const { start, end } = Object.fromEntries(query);
  if (start !== undefined && end !== undefined && Number(start) > Number(end))
    throw new InvalidInputError(operation, [
      { property: "start", message: "must not be after end" },
    ]);
  return query;
}

/** The ends of the time that a search names. @throws InvalidInputError */
export function searchRange(args: EventSearchArgs): {
  start?: number;
  end?: number;
} {
  const { start, end } = Object.fromEntries(
    searchQuery(args, searchOperation(args)),
  );
  return {
    ...(start !== undefined && { start: Number(start) }),
    ...(end !== undefined && { end: Number(end) }),
  };
}

/** For messages: `Searching events by visitorId, start`; of the filters, no more than their names. */
export function searchOperation(args: EventSearchArgs): string {
  const paging = camelKeys(EVENT_PAGE_PARAMETERS);
  const filters = Object.entries(args)
    .filter(([name, value]) => value !== undefined && !(name in paging))
    .map(([name]) => name);
  return filters.length > 0
    ? `Searching events by ${filters.join(", ")}`
    : "Searching events without a filter";
}
