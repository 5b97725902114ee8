import type { Region } from "@devid/sdk/regions";
import type { Database, SqlValue } from "./database";
import type { Condition } from "./event-conditions";

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
const SLICE = 4_000;

/** Events of a segment; the schema has it as `seq >> 14`. */
const SEGMENT = 2 ** 14;

/**
 * Finds the events of a walk and yields the places of those of each slice,
 * which may be none. The work between two yields is bounded, so that a caller
 * can let others go first, or give up.
 */
export function* walkEvents(
  db: Database,
  walk: EventWalk,
): Generator<EventPlace[], void, undefined> {
  const few = fewestByIndex(db, walk);
  if (few) {
    yield places(db, walk, few.index, [...walk.conditions, few.segments]);
    return;
  }
  for (let { after } = walk; ;) {
    const rest = { ...walk, after };
    const [last] = places(db, { ...rest, limit: 1 }, BY_TIME, [], SLICE - 1);
    const slice = last ? [upTo(last, walk.reverse)] : [];
    yield places(db, rest, BY_TIME, [...walk.conditions, ...slice]);
    if (!last) return;
    after = last;
  }
}

const BY_TIME = "events_by_time";

/** The index that leaves the fewest events to look at, where they fit into one slice. */
function fewestByIndex(db: Database, { conditions, lastSeq }: EventWalk) {
  const candidates = conditions.filter(({ index }) => index !== undefined);
  if (candidates.length === 0) return undefined;
  const segments = segmentsUpTo(db, lastSeq);
  let fewest = SLICE + 1;
  let found: string | undefined;
  for (const { index, sql, values } of candidates) {
    const row = db.get<{ n: number }>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM events INDEXED BY ${index}
          WHERE ${segments.sql} AND ${sql} LIMIT ?)`,
      ...segments.values,
      ...values,
      fewest,
    );
    if (row === undefined || row.n >= fewest) continue;
    fewest = row.n;
    found = index;
  }
  return found === undefined ? undefined : { index: found, segments };
}

/** Every segment that holds events: the indexes by value begin with it. */
function segmentsUpTo(db: Database, lastSeq: number): Condition {
  const row = db.get<{ seq: number | null }>(
    "SELECT min(seq) AS seq FROM events",
  );
  const first = Math.floor((row?.seq ?? lastSeq) / SEGMENT);
  const count = Math.floor(lastSeq / SEGMENT) - first + 1;
  const segments = Array.from({ length: count }, (_, n) => first + n);
  return {
    sql: "segment IN (SELECT value FROM json_each(?))",
    values: [JSON.stringify(segments)],
  };
}

function places(
  db: Database,
  { workspace, startMs, endMs, lastSeq, reverse, after, limit }: EventWalk,
  index: string,
  conditions: readonly Condition[],
  offset = 0,
): EventPlace[] {
  const all: Condition[] = [
    { sql: "workspace = ?", values: [workspace] },
    { sql: "timestamp BETWEEN ? AND ?", values: [startMs, endMs] },
    { sql: "seq <= ?", values: [lastSeq] },
    ...(after ? [behind(after, reverse)] : []),
    ...conditions,
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

function behind({ timestamp, seq }: EventPlace, reverse: boolean): Condition {
  const sql = `(timestamp, seq) ${reverse ? ">" : "<"} (?, ?)`;
  return { sql, values: [timestamp, seq] };
}

function upTo({ timestamp, seq }: EventPlace, reverse: boolean): Condition {
  const sql = `(timestamp, seq) ${reverse ? "<=" : ">="} (?, ?)`;
  return { sql, values: [timestamp, seq] };
}
