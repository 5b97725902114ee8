import type { Event, Region } from "@devid/sdk";
import type { Db } from "./db";
import { ipKey } from "./ip-range";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The columns by which events are counted, each with its index and its bound parameter. */
const TRAITS = {
  identification_visitor_id: { index: "events_by_visitor", value: "?4" },
  ip_address: { index: "events_by_ip_address", value: "?5" },
  linked_id: { index: "events_by_linked_id", value: "?6" },
} as const;

type Trait = keyof typeof TRAITS;

/**
 * Most events of a visitor, an address or a linked ID that are counted, the event itself
 * included. Without a bound, a busy address would slow down identifications
 * (docs/assumptions.md, A163).
 */
const MOST = 300;

/** The events with one trait in a window, and the different values of other traits among them. */
type Seen = Readonly<Record<"events" | Trait, number>>;

/**
 * The query that counts the last events with the same trait from ?2 to ?3. The event
 * itself is not stored yet, and counts, too.
 */
function countingSql(same: Trait, distinct: readonly Trait[]): string {
  const columns = distinct.map((trait) => {
    const { value } = TRAITS[trait];
    return `, (${value} IS NOT NULL) + count(DISTINCT nullif(${trait}, ${value})) AS ${trait}`;
  });
  const { index, value } = TRAITS[same];
  return `SELECT 1 + count(*) AS events ${columns.join("")} FROM (
    SELECT ${distinct.join() || "1"} FROM events INDEXED BY ${index}
     WHERE workspace = ?1 AND ${same} = ${value} AND timestamp > ?2 AND timestamp <= ?3
     ORDER BY timestamp DESC LIMIT ${MOST - 1})
     -- Each query has every parameter.
     WHERE coalesce(?4, ?5, ?6) IS NOT NULL`;
}

const BY_VISITOR = countingSql("identification_visitor_id", [
  "ip_address",
  "linked_id",
]);
const BY_ADDRESS = countingSql("ip_address", []);
const BY_LINKED_ID = countingSql("linked_id", [
  "ip_address",
  "identification_visitor_id",
]);

/**
 * How often the visitor, the address and the linked ID of an event were seen,
 * up to and including this event (docs/contract.md, "Event record"). Countries
 * are unknown to the service and are not counted.
 */
export function velocityOf(
  db: Db,
  workspace: Region,
  { identification, ip_address, linked_id, timestamp }: Event,
): NonNullable<Event["velocity"]> {
  const visitor = identification?.visitor_id ?? null;
  const address = ipKey(ip_address ?? "") ?? null;
  const linkedId = linked_id ?? null;
  const counted = (sql: string, value: string | null) => {
    if (value === null) return undefined;
    const since = (ms: number) =>
      // An aggregate has one row.
      db.get<Seen>(
        sql,
        ...[workspace, timestamp - ms, timestamp, visitor, address, linkedId],
      ) as Seen;
    const minutes = since(5 * MINUTE_MS);
    // Equal counts are counts of the same events, and MOST of them are the last ones.
    const day = minutes.events === MOST ? minutes : since(24 * HOUR_MS);
    const hour = minutes.events === day.events ? minutes : since(HOUR_MS);
    return (what: keyof Seen) => ({
      "5_minutes": minutes[what],
      "1_hour": hour[what],
      "24_hours": day[what],
    });
  };
  const ofVisitor = counted(BY_VISITOR, visitor);
  const ofAddress = counted(BY_ADDRESS, address);
  const ofLinkedId = counted(BY_LINKED_ID, linkedId);
  return {
    ...(ofVisitor && {
      distinct_ip: ofVisitor("ip_address"),
      distinct_linked_id: ofVisitor("linked_id"),
      events: ofVisitor("events"),
    }),
    ...(ofAddress && { ip_events: ofAddress("events") }),
    ...(ofLinkedId && {
      distinct_ip_by_linked_id: ofLinkedId("ip_address"),
      distinct_visitor_id_by_linked_id: ofLinkedId("identification_visitor_id"),
    }),
  };
}
