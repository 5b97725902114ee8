import type { Database, SqlValue } from "./database";
import type { Condition } from "./event-conditions";
import type { EventPlace, EventWalk } from "./event-walk";

/** A part of a walk. */
export interface Stretch extends EventWalk {
  /** The last place of it, included. */
  readonly upTo?: EventPlace;
  /** How many events are passed over. */
  readonly offset?: number;
}

/** The places of a stretch, by an index of the events. */
export function placesOf(
  db: Database,
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

/** The range of times of a stretch. An index is entered by one range only, so places narrow it. */
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
