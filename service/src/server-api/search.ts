import { setImmediate } from "node:timers/promises";
import { INVALID_PAGINATION_KEY } from "@devid/sdk/wire";
import { SERVER_OPERATIONS } from "@devid/sdk/wire/events";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import {
  type Call,
  JsonText,
  operation,
  type Operation,
} from "../http/operation";
import { eventConditions, type EventFilters } from "../store/event-conditions";
import type { EventPlace, EventWalk } from "../store/event-walk";
import { settingsOf } from "../workspace/settings";
import { querySchema } from "./query-schema";
import { type Visibility, visibilityOf, visibleText } from "./visible-events";

/** The number of events on a page without a `limit`. */
const DEFAULT_LIMIT = 10;

/** `GET /events`: docs/contract.md, "GET /events". */
export function searchOperation(context: Context): Operation {
  return operation({
    ...SERVER_OPERATIONS.searchEvents,
    query: querySchema(SERVER_OPERATIONS.searchEvents.query),
    errors: [504],
    run: async (call) => {
      const { limit = DEFAULT_LIMIT, total_hits, ...asked } = call.query;
      const visibility = visibilityOf(context.store, call);
      const { bodies, paginationKey, totalHits } = await findEvents(
        context,
        call,
        visibility,
        {
          ...searchOf(context, call, visibility, "events", asked),
          limit,
          totalHits: total_hits,
        },
      );
      const events = bodies.map((body) => visibleText(body, visibility));
      const rest = JSON.stringify({
        pagination_key: paginationKey,
        total_hits: totalHits,
      });
      return new JsonText(
        `{"events":[${events.join()}]${rest === "{}" ? "" : `,${rest.slice(1, -1)}`}}`,
      );
    },
  });
}

/** A search as versions 4 and 3 take it; the members left are filters. */
interface AskedSearch extends EventFilters {
  readonly pagination_key?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/**
 * What is asked for, as a search. `kind` is the name of the operation, so that its
 * pagination keys work for it alone. `others` are the filters of version 3 alone.
 */
export function searchOf(
  { clock, store }: Context,
  { workspace }: Call,
  { hidden }: Visibility,
  kind: string,
  asked: AskedSearch,
  others: object = {},
): Omit<EventSearch, "limit"> {
  const { pagination_key, reverse = false, start, end, ...filters } = asked;
  // Later pages keep the range of the first one, however long ago that was.
  const lookbackDays = pagination_key
    ? Infinity
    : settingsOf(store, workspace).lookbackDays;
  return {
    conditions: eventConditions(filters, hidden),
    ...searchWindow({ start, end }, clock.nowMs(), lookbackDays),
    reverse,
    identity: [kind, { reverse, start, end, ...filters, ...others }],
    paginationKey: pagination_key,
  };
}

/**
 * A search of events, for version 4 and version 3. The range of times counts for the
 * first page only: a pagination key carries its own.
 */
interface EventSearch extends Pick<
  EventWalk,
  "conditions" | "startMs" | "endMs" | "reverse" | "limit"
> {
  /**
   * Asks for the number of events on all pages, and stops counting at this
   * number.
   */
  readonly totalHits?: number | undefined;
  /**
   * The same for two equal searches of a caller only. A pagination key works for its own
   * search alone (docs/assumptions.md, A57).
   */
  readonly identity: readonly unknown[];
  readonly paginationKey?: string | undefined;
}

/** A page of events. */
interface FoundEvents {
  readonly bodies: readonly string[];
  readonly last?: EventPlace;
  /** The key of the next page; undefined on the last page. */
  readonly paginationKey?: string;
  readonly totalHits?: number;
}

/**
 * Finds a page of the events that the caller may see. It works in slices, between which
 * other requests are answered. Throws AnswerError for a wrong pagination key, and when
 * the time is up.
 */
export async function findEvents(
  { store: { cursors, events }, searchTimeoutMs }: Context,
  { workspace, signal }: Call,
  { environment }: Visibility,
  search: EventSearch,
): Promise<FoundEvents> {
  const { limit, paginationKey: key, totalHits, reverse } = search;
  const endsAt = performance.now() + searchTimeoutMs;
  const identity = JSON.stringify([workspace, environment, search.identity]);
  // What the first page has fixed for all pages: the range of times, and the last event,
  // behind which later ones are left out.
  const place =
    key === undefined
      ? [undefined, 0, events.lastSeq(), search.startMs, search.endMs]
      : cursors.decode(identity, key);
  if (!place)
    throw new AnswerError("request_cannot_be_parsed", INVALID_PAGINATION_KEY);
  // A key was signed, so it has all of these numbers.
  const [timestamp, seq = 0, lastSeq = 0, startMs = 0, endMs = 0] = place;
  const before = timestamp === undefined ? undefined : { timestamp, seq };
  const own = { sql: "environment_id = ?", values: [environment] };
  const conditions = [
    ...(environment === null ? [] : [own]),
    ...search.conditions,
  ];
  const walk = { workspace, conditions, startMs, endMs, lastSeq, reverse };
  const collect = (after: EventPlace | undefined, enough: number) =>
    collectPlaces(
      events.walk({ ...walk, after, limit: enough }),
      enough,
      signal,
      endsAt,
    );
  // One event more than the page holds shows whether there is a next page.
  const most = limit + 1;
  const counted =
    totalHits && (await collect(undefined, Math.max(totalHits, most)));
  const found = (!before && counted) || (await collect(before, most));
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = last && [last.timestamp, last.seq, lastSeq, startMs, endMs];
  return {
    bodies: events.bodies(shown),
    last,
    paginationKey:
      next && found.length > limit ? cursors.encode(identity, next) : undefined,
    totalHits: counted && Math.min(counted.length, totalHits),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

const DEFAULT_DAYS = 7;

/**
 * The range of times of a search (docs/contract.md, "GET /events"). Each end
 * has its own default. Throws AnswerError for a start before the lookback of
 * the workspace (docs/assumptions.md, A54).
 */
function searchWindow(
  { start, end }: Pick<AskedSearch, "start" | "end">,
  nowMs: number,
  lookbackDays: number,
): { readonly startMs: number; readonly endMs: number } {
  if (start !== undefined && start < nowMs - lookbackDays * DAY_MS)
    throw new AnswerError(
      "request_cannot_be_parsed",
      `invalid start time: start is more than ${lookbackDays} days ago, which is how far this workspace looks back`,
    );
  return {
    startMs: start ?? nowMs - DEFAULT_DAYS * DAY_MS,
    endMs: end ?? nowMs,
  };
}

/**
 * Collects places slice by slice until there are enough of them. Other requests
 * are answered between two slices. Throws AnswerError when the time is up (`endsAt`, in
 * the time of `performance.now()`), or nobody waits any more.
 */
async function collectPlaces(
  slices: Iterable<readonly EventPlace[]>,
  enough: number,
  signal: AbortSignal,
  endsAt: number,
): Promise<EventPlace[]> {
  const places: EventPlace[] = [];
  let isFirst = true;
  for (const slice of slices) {
    if (!isFirst && performance.now() > endsAt)
      throw new AnswerError("gateway_timeout", "gateway timeout");
    isFirst = false;
    places.push(...slice);
    if (places.length >= enough) break;
    await setImmediate();
    if (signal.aborted)
      throw new AnswerError("gateway_timeout", "nobody waits for the answer");
  }
  return places.slice(0, enough);
}
