import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";

/** What events can be found by, each with an index that begins with the segment. */
export type Trait = "identification_visitor_id" | "ip_address" | "linked_id";

/** What is told of an event that was found; the address is spelt as `ipKey` does. */
export interface NewestEvent {
  readonly timestamp: number;
  readonly identification_visitor_id: string | null;
  readonly ip_address: string | null;
  readonly linked_id: string | null;
}

const INDEX_OF: Readonly<Record<Trait, string>> = {
  identification_visitor_id: "events_by_visitor",
  ip_address: "events_by_ip_address",
  linked_id: "events_by_linked_id",
};

/** The segments that are looked at: the last million events of all workspaces. */
const MOST_SEGMENTS = 64;

/**
 * The last events with this trait, by arrival, of those that were stored not
 * long ago: so the work is bounded, however many there are.
 */
export function newestEvents(
  db: Database,
  workspace: Region,
  trait: Trait,
  value: string,
  limit: number,
): NewestEvent[] {
  const last = db.get<{ segment: number }>(
    "SELECT segment FROM events ORDER BY seq DESC LIMIT 1",
  );
  if (!last) return [];
  const found: NewestEvent[] = [];
  const first = Math.max(0, last.segment - MOST_SEGMENTS + 1);
  for (let segment = last.segment; segment >= first; segment--) {
    // One text: a row for each event takes four times as long.
    const row = db.get<{ events: string }>(
      `SELECT json_group_array(json_object(
                'timestamp', timestamp,
                'identification_visitor_id', identification_visitor_id,
                'ip_address', ip_address,
                'linked_id', linked_id)) AS events
         FROM (SELECT * FROM events INDEXED BY ${INDEX_OF[trait]}
                WHERE segment = ? AND ${trait} = ? AND workspace = ?
                ORDER BY seq DESC LIMIT ?)`,
      segment,
      value,
      workspace,
      limit - found.length,
    );
    found.push(...(JSON.parse(row?.events ?? "[]") as NewestEvent[]));
    if (found.length >= limit) break;
  }
  return found;
}
