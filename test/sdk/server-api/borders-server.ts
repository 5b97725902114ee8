import { json, plainServer, type PlainServer } from "../http/plain-server";

/** Whether a service of the tests includes the ends of a search's time range. */
export interface Borders {
  readonly includesStart: boolean;
  readonly includesEnd: boolean;
}

/** Every combination of inclusive and exclusive ends. */
export const ALL_BORDERS: readonly Borders[] = [true, false].flatMap(
  (includesStart) =>
    [true, false].map((includesEnd) => ({ includesStart, includesEnd })),
);

/** An event of the server. */
export interface StoredEvent {
  readonly event_id: string;
  readonly timestamp: number;
  readonly [member: string]: unknown;
}

/**
 * A server that answers `GET /{region}/v4/events` from a list, page by page, or with
 * 403 while it `refuses`.
 */
export async function bordersServer(
  events: readonly StoredEvent[],
  { includesStart, includesEnd }: Borders,
  refuses: (calls: number) => boolean = () => false,
): Promise<PlainServer> {
  const sorted = events.toSorted((a, b) => a.timestamp - b.timestamp);
  const newestFirst = sorted.toReversed();
  let calls = 0;
  return plainServer(({ path }, response) => {
    if (refuses(++calls)) return json(response, 403, {});
    const { searchParams: query } = new URL(path, "http://127.0.0.1");
    const moment = (name: string, other: number) =>
      query.has(name) ? Number(query.get(name)) : other;
    const [start, end] = [moment("start", -1), moment("end", Infinity)];
    const all = query.get("reverse") === "true" ? sorted : newestFirst;
    const found = all.filter(
      ({ timestamp: at }) =>
        (at > start || (includesStart && at === start)) &&
        (at < end || (includesEnd && at === end)),
    );
    const from = Number(query.get("pagination_key") ?? 0);
    const to = from + Number(query.get("limit") ?? 10);
    json(response, 200, {
      events: found.slice(from, to),
      ...(to < found.length && { pagination_key: String(to) }),
    });
  });
}

/** Many events, up to 40 in a millisecond, with gaps between them. */
export function crowdedEvents(count: number, start: number): StoredEvent[] {
  const events: StoredEvent[] = [];
  let timestamp = start;
  for (let n = 0; events.length < count; n++) {
    const crowd = [1, 3, 40, 2, 1, 17][n % 6] ?? 1;
    for (let i = 0; i < crowd && events.length < count; i++)
      events.push({ event_id: `e${events.length}`, timestamp });
    timestamp += [1, 1, 2, 1, 9, 1, 250][n % 7] ?? 1;
  }
  return events;
}
