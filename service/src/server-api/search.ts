import { setImmediate } from "node:timers/promises";
import { INVALID_PAGINATION_KEY } from "@devid/sdk/wire";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import { type Call, JsonText, type Operation } from "../http/operation";
import {
  type Condition,
  eventConditions,
  type EventFilters,
} from "../store/event-conditions";
import type { EventPlace, EventWalk } from "../store/event-walk";
import { settingsOf } from "../workspace/settings";
import { serveServerOperation } from "./serve-server-operation";
import { type Visibility, visibilityOf, visibleText } from "./visible-events";

/** The number of events on a page without a `limit`. */
const DEFAULT_LIMIT = 10;

/** `GET /events`: docs/contract.md, "GET /events". */
export function searchOperation(context: Context): Operation {
  return serveServerOperation(
    "searchEvents",
    async (call) => {
      const { limit = DEFAULT_LIMIT, total_hits, ...search } = call.query;
      const { visibility, bodies, ...found } = await searchVisible(
        context,
        call,
        { kind: "events", limit, totalHits: total_hits, ...search },
      );
      const events = bodies.map((body) => visibleText(body, visibility));
      const rest = JSON.stringify({
        pagination_key: found.paginationKey,
        total_hits: found.totalHits,
      });
      return new JsonText(
        `{"events":[${events.join()}]${rest === "{}" ? "" : `,${rest.slice(1, -1)}`}}`,
      );
    },
    { errors: [504] },
  );
}

/** A search as versions 4 and 3 take it; the members left are filters. */
interface VisibleSearch extends EventFilters {
  /** The name of the operation, so that its pagination keys work for it alone. */
  readonly kind: string;
  readonly limit: number;
  readonly totalHits?: number | undefined;
  readonly pagination_key?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

interface OtherFilters {
  readonly values: object;
  readonly conditions: (hidden: ReadonlySet<string>) => readonly Condition[];
}

/** Finds a page of the events that the caller may see. */
export async function searchVisible(
  context: Context,
  call: Call,
  search: VisibleSearch,
  others: OtherFilters = { values: {}, conditions: () => [] },
): Promise<FoundEvents & { readonly visibility: Visibility }> {
  const { clock, store } = context;
  const { workspace, signal } = call;
  const {
    kind,
    limit,
    totalHits,
    pagination_key: paginationKey,
    reverse = false,
    start,
    end,
    ...filters
  } = search;
  const visibility = visibilityOf(store, call);
  const { conditions, environment, hidden } = visibility;
  const range = { start, end };
  // Later pages keep the range of the first one, however long ago that was.
  const lookbackDays = paginationKey
    ? Infinity
    : settingsOf(store, workspace).lookbackDays;
  const found = await findEvents(context, {
    workspace,
    conditions: [
      ...conditions,
      ...eventConditions(filters, hidden),
      ...others.conditions(hidden),
    ],
    ...searchWindow(range, clock.nowMs(), lookbackDays),
    reverse,
    limit,
    identity: JSON.stringify([
      kind,
      workspace,
      environment,
      { reverse, ...range, ...filters, ...others.values },
    ]),
    totalHits,
    paginationKey,
    signal,
  });
  return { visibility, ...found };
}

/**
 * A search of events, for version 4 and version 3. The range of times counts for the
 * first page only: a pagination key carries its own.
 */
interface EventSearch extends Omit<EventWalk, "after" | "lastSeq"> {
  /**
   * Asks for the number of events on all pages, and stops counting at this
   * number.
   */
  readonly totalHits?: number | undefined;
  /**
   * A text that is the same for two equal searches only. A pagination key works
   * for its own search alone.
   */
  readonly identity: string;
  readonly paginationKey?: string | undefined;
  /** Aborted when the caller closes the connection. */
  readonly signal: AbortSignal;
}

/** A page of events. */
export interface FoundEvents {
  readonly bodies: readonly string[];
  readonly last?: EventPlace;
  /** The key of the next page; undefined on the last page. */
  readonly paginationKey?: string;
  readonly totalHits?: number;
}

/**
 * Finds a page of events. It works in slices, between which other requests are
 * answered. Throws AnswerError for a wrong pagination key, and when the time is
 * up.
 */
export async function findEvents(
  { store, searchTimeoutMs }: Context,
  search: EventSearch,
): Promise<FoundEvents> {
  const { cursors, events } = store;
  const { identity, limit, paginationKey: key, totalHits, signal } = search;
  const endsAt = performance.now() + searchTimeoutMs;
  const collect = (after: EventPlace | undefined, enough: number) =>
    collectPlaces(
      events.walk({ ...search, ...page, after, limit: enough }),
      enough,
      signal,
      endsAt,
    );
  const place =
    key === undefined ? undefined : searchPlace(cursors.decode(identity, key));
  const page = place ?? {
    startMs: search.startMs,
    endMs: search.endMs,
    lastSeq: events.lastSeq(),
  };
  // One event more than the page holds shows whether there is a next page.
  const most = limit + 1;
  const counted =
    totalHits && (await collect(undefined, Math.max(totalHits, most)));
  const found = (!place && counted) || (await collect(place?.after, most));
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    bodies: events.bodies(shown),
    last,
    paginationKey:
      last && found.length > limit
        ? cursors.encode(identity, numbersOf({ ...page, after: last }))
        : undefined,
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
  { start, end }: Pick<VisibleSearch, "start" | "end">,
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
 * Where the next page starts, and what the first page has fixed for all pages: the range
 * of times, and the last event, behind which later ones are left out.
 */
type SearchPlace = Pick<EventWalk, "lastSeq" | "startMs" | "endMs"> & {
  readonly after: EventPlace;
};

/** The numbers of a place, in a pagination key (docs/assumptions.md, A57). */
const numbersOf = ({ after, lastSeq, startMs, endMs }: SearchPlace) => [
  ...[after.timestamp, after.seq],
  ...[lastSeq, startMs, endMs],
];

/** The place of these numbers. Throws AnswerError without numbers, for a key of another search. */
function searchPlace(numbers: readonly number[] | undefined): SearchPlace {
  if (!numbers)
    throw new AnswerError("request_cannot_be_parsed", INVALID_PAGINATION_KEY);
  // The key was signed, so it has all of them.
  const [timestamp = 0, seq = 0, lastSeq = 0, startMs = 0, endMs = 0] = numbers;
  return { after: { timestamp, seq }, lastSeq, startMs, endMs };
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
