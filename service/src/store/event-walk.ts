import type { Region } from "@devid/sdk";
import type { Db } from "./db";
import type { SqlValue } from "./sql-value";
import type { Condition } from "./event-conditions";

/**
 * The place of an event in the order of all events: by time, and by arrival
 * among equal times.
 */
export interface EventPlace {
  readonly timestamp: number;
  /** Grows with each event that arrives, and is never used twice. */
  readonly seq: number;
}

/** Which events to find, and in what order. */
export interface EventWalk {
  readonly workspace: Region;
  /** Conditions that an event has to meet, all of them. */
  readonly conditions: readonly Condition[];
  /** The range of times, both ends included. */
  readonly startMs: number;
  readonly endMs: number;
  /** The last event to consider; later ones are left out. */
  readonly lastSeq: number;
  /** Oldest first; otherwise newest first. */
  readonly reverse: boolean;
  readonly after?: EventPlace;
  readonly limit: number;
}

/** Most events that are examined in one go, which takes some milliseconds. */
const SLICE = 2_000;

const BY_TIME = "events_by_time";

/**
 * Finds events and yields their places slice by slice; a slice may be empty.
 * The work between two yields is bounded, so that a caller can let others run
 * in between, or give up.
 */
export function* walkEvents(
  db: Db,
  walk: EventWalk,
): Generator<EventPlace[], void, undefined> {
  const index = fewestByIndex(db, walk, SLICE);
  if (index !== undefined) {
    yield placesOf(db, index, walk);
    return;
  }
  // Most searches find enough among the first events, and examine no others.
  let size = Math.min(2 * walk.limit, SLICE);
  for (let { after } = walk; ;) {
    const rest = { ...walk, after };
    const last = endOfSlice(db, rest, size);
    yield placesOf(db, BY_TIME, last ? { ...rest, upTo: last } : rest);
    if (!last) return;
    after = last;
    size = SLICE;
  }
}

/** The place of the last event of a slice; undefined if fewer events are left. */
function endOfSlice(
  db: Db,
  walk: EventWalk,
  size: number,
): EventPlace | undefined {
  const any = { ...walk, conditions: [], limit: 1, offset: size - 1 };
  return placesOf(db, BY_TIME, any)[0];
}

interface Stretch extends EventWalk {
  /** The last place of the part, included. */
  readonly upTo?: EventPlace;
  readonly offset?: number;
}

/** Reads the places of a part of a walk, through one index of the events. */
function placesOf(
  db: Db,
  index: string,
  { workspace, lastSeq, reverse, limit, offset = 0, ...stretch }: Stretch,
): EventPlace[] {
  const { after, upTo } = stretch;
  const [behind, until] = reverse ? [">", "<="] : ["<", ">="];
  const all: Condition[] = [
    { sql: "workspace = ?", values: [workspace] },
    { sql: "timestamp BETWEEN ? AND ?", values: rangeOf(reverse, stretch) },
    { sql: "seq <= ?", values: [lastSeq] },
    ...beside(behind, after),
    ...beside(until, upTo),
    ...stretch.conditions,
  ];
  const direction = reverse ? "ASC" : "DESC";
  return db.all<EventPlace>(
    `SELECT timestamp, seq FROM events INDEXED BY ${index}
      WHERE ${all.map(({ sql }) => sql).join(" AND ")}
      ORDER BY timestamp ${direction}, seq ${direction} LIMIT ? OFFSET ?`,
    ...all.flatMap(({ values }): readonly SqlValue[] => values),
    limit,
    offset,
  );
}

/**
 * The range of times of a part of a walk. SQLite enters an index by a single
 * range, so the places make that range as narrow as they can.
 */
function rangeOf(
  reverse: boolean,
  {
    startMs,
    endMs,
    after,
    upTo,
  }: Pick<Stretch, "startMs" | "endMs" | "after" | "upTo">,
): [number, number] {
  const [first, last] = reverse ? [after, upTo] : [upTo, after];
  return [
    Math.max(startMs, first?.timestamp ?? -Infinity),
    Math.min(endMs, last?.timestamp ?? Infinity),
  ];
}

function beside(
  comparison: string,
  place: EventPlace | undefined,
): Condition[] {
  if (!place) return [];
  const { timestamp, seq } = place;
  const sql = `(timestamp, seq) ${comparison} (?, ?)`;
  return [{ sql, values: [timestamp, seq] }];
}

/**
 * The index that leaves the fewest events to examine. Undefined if more than `most` events
 * are left.
 */
function fewestByIndex(
  db: Db,
  { workspace, conditions }: EventWalk,
  most: number,
): string | undefined {
  let fewest = most + 1;
  let found: string | undefined;
  for (const { index, sql, values } of conditions) {
    if (index === undefined) continue;
    const count = db.value<number>(
      `SELECT count(*) FROM (
         SELECT 1 FROM events INDEXED BY ${index}
          WHERE workspace = ? AND ${sql} LIMIT ?)`,
      workspace,
      ...values,
      fewest,
    );
    if (count === undefined || count >= fewest) continue;
    fewest = count;
    found = index;
  }
  return found;
}
