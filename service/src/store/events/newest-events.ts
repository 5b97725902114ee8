import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";

/**
 * The columns by which past events are found. Each column has an index that begins with
 * the segment.
 */
export type Trait = "identification_visitor_id" | "ip_address" | "linked_id";

/** The values that are read from a past event. `ipKey` has made the text of the address. */
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

/**
 * How many segments are searched: those of the last million events of all
 * workspaces.
 */
const MOST_SEGMENTS = 64;

/**
 * Finds the last events with the same value of a trait. Only a limited number of recent
 * events is searched, so the work is bounded in a database of any size.
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
    // SQLite joins the rows to one text. Fetching a row for each event takes four times
    // as long.
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
