import type { Region } from "@devid/sdk";
import type { Database } from "./database";
import type { Condition } from "./event-conditions";
import { fewestByIndex } from "./fewest-by-index";
import { placesOf } from "./places-of";

/** Where an event stands among all: sorted by time, and by arrival where times are equal. */
export interface EventPlace {
  readonly timestamp: number;
  /** Grows by arrival, and is never given twice. */
  readonly seq: number;
}

/** Which events to go through, and in what order. */
export interface EventWalk {
  readonly workspace: Region;
  /** What an event has to meet, all of it. */
  readonly conditions: readonly Condition[];
  /** The range of times, both ends included. */
  readonly startMs: number;
  readonly endMs: number;
  /** Events that arrived later than this one are left out. */
  readonly lastSeq: number;
  /** Oldest first; otherwise newest first. */
  readonly reverse: boolean;
  /** Start behind this place. */
  readonly after?: EventPlace;
  /** How many events are wanted. */
  readonly limit: number;
}

/** Events that are looked at in one go, which takes some milliseconds. */
const SLICE = 2_000;

const BY_TIME = "events_by_time";

/**
 * Finds the events of a walk and yields the places of those of each slice,
 * which may be none. The work between two yields is bounded, so that a caller
 * can let others go first, or give up.
 */
export function* walkEvents(
  db: Database,
  walk: EventWalk,
): Generator<EventPlace[], void, undefined> {
  const { conditions } = walk;
  const few = fewestByIndex(db, walk, SLICE);
  if (few) {
    yield placesOf(db, few.index, {
      ...walk,
      conditions: [...conditions, few.segments],
    });
    return;
  }
  for (let { after } = walk; ;) {
    const rest = { ...walk, after };
    const last = endOfSlice(db, rest);
    yield placesOf(db, BY_TIME, last ? { ...rest, upTo: last } : rest);
    if (!last) return;
    after = last;
  }
}

function endOfSlice(db: Database, walk: EventWalk): EventPlace | undefined {
  const any = { ...walk, conditions: [], limit: 1, offset: SLICE - 1 };
  return placesOf(db, BY_TIME, any)[0];
}
