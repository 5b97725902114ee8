import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import type { Condition } from "../store/event-conditions";
import type { EventPlace } from "../store/event-walk";
import { collectPlaces } from "./collect-places";
import { paginationKey, searchPlace } from "./search-place";

/** A search of events, of whatever version. */
export interface EventSearch {
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
export interface FoundEvents {
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
