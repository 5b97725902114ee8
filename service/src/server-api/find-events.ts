import { setImmediate } from "node:timers/promises";
import type { Region } from "@devid/sdk";
import { INVALID_PAGINATION_KEY } from "@devid/sdk/wire";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import type { Signer } from "../store/database/cursors";
import type { Condition } from "../store/events/event-conditions";
import type { EventPlace } from "../store/events/event-walk";

/** A search of events, of whatever version. */
interface EventSearch {
  readonly workspace: Region;
  readonly conditions: readonly Condition[];
  /** The range of times of the first page; a key brings that of its own. */
  readonly startMs: number;
  readonly endMs: number;
  /** Oldest first; otherwise newest first. */
  readonly reverse: boolean;
  /** Events of a page. */
  readonly limit: number;
  /** Asks for the number of events on all pages, counted up to this one. */
  readonly totalHits?: number | undefined;
  /** Tells this search from others; a key is good for no other. */
  readonly identity: string;
  readonly paginationKey?: string | undefined;
  readonly signal: AbortSignal;
}

/** A page of events. */
interface FoundEvents {
  /** The events as JSON. */
  readonly bodies: readonly string[];
  /** The event that the page ends with. */
  readonly last?: EventPlace;
  /** Of the next page; undefined when this is the last. */
  readonly paginationKey?: string;
  readonly totalHits?: number;
}

/**
 * Finds a page of events, slice by slice, so that other calls are answered
 * meanwhile. Throws AnswerError: a key that is none, or out of time.
 */
export async function findEvents(
  { store, searchTimeoutMs }: Context,
  search: EventSearch,
): Promise<FoundEvents> {
  const { signer, events } = store;
  const { identity, limit, paginationKey: key, totalHits, signal } = search;
  const patience = { signal, endsAt: performance.now() + searchTimeoutMs };
  const collect = (after: EventPlace | undefined, enough: number) =>
    collectPlaces(
      events.walk({ ...search, ...page, after, limit: enough }),
      enough,
      patience,
    );
  const place =
    key === undefined ? undefined : searchPlace(signer, identity, key);
  const page = place ?? {
    startMs: search.startMs,
    endMs: search.endMs,
    lastSeq: events.lastSeq(),
  };
  // One more than the page holds tells whether there is another.
  const found = await collect(place?.after, limit + 1);
  const counted = totalHits && (await collect(undefined, totalHits)).length;
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    bodies: events.bodies(shown),
    last,
    paginationKey:
      last && found.length > limit
        ? paginationKey(signer, identity, { ...page, after: last })
        : undefined,
    totalHits: counted,
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lets a search start at any time. */
export const ANY_AGE = { lookbackDays: Infinity };

/** The window of a search that names none, in days. */
const DEFAULT_DAYS = 7;

/**
 * The range of times of a search (docs/contract.md, "GET /events"): each end
 * has its default, whatever the other is. Throws AnswerError when it starts
 * before the lookback of the workspace (docs/assumptions.md, A54).
 */
export function searchWindow(
  {
    start,
    end,
  }: { readonly start?: number | undefined; readonly end?: number | undefined },
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

/** Where a search goes on, and what its first page has fixed. */
interface SearchPlace {
  readonly after: EventPlace;
  /** Events that arrived later are not part of the search. */
  readonly lastSeq: number;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The pagination key of a place: its numbers and a signature that binds them
 * to one search (docs/assumptions.md, A57). `search` names its workspace, its
 * scope and its filters.
 */
export function paginationKey(
  signer: Signer,
  search: string,
  { after, lastSeq, startMs, endMs }: SearchPlace,
): string {
  const numbers = [after.timestamp, after.seq, lastSeq, startMs, endMs]
    .map((number) => number.toString(36))
    .join(".");
  const signature = signer.sign(`${search} ${numbers}`).slice(0, 22);
  return `${numbers}.${signature}`;
}

/** The place of a pagination key. Throws AnswerError when it is not one of this search. */
function searchPlace(signer: Signer, search: string, key: string): SearchPlace {
  const [timestamp, seq, lastSeq, startMs, endMs] = key
    .split(".", 5)
    .map((digits) => parseInt(digits, 36));
  if (
    timestamp !== undefined &&
    seq !== undefined &&
    lastSeq !== undefined &&
    startMs !== undefined &&
    endMs !== undefined
  ) {
    const place = { after: { timestamp, seq }, lastSeq, startMs, endMs };
    if (paginationKey(signer, search, place) === key) return place;
  }
  throw new AnswerError("request_cannot_be_parsed", INVALID_PAGINATION_KEY);
}

/** How long somebody waits for a search. */
interface Patience {
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** When time is up, as `performance.now()` tells it. */
  readonly endsAt: number;
}

/**
 * Takes places out of a walk, slice by slice, until there are enough; others
 * go first between two slices. Throws AnswerError when time is up before.
 */
export async function collectPlaces(
  slices: Iterable<readonly EventPlace[]>,
  enough: number,
  { signal, endsAt }: Patience,
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
