import type { Database } from "./database";

/** What was said of a device. */
export interface DrnRow {
  /** The `data` of an answer as JSON, whole or in part. */
  readonly data: string;
  /** When it was said, in Unix milliseconds. */
  readonly set_at: number;
}

/** What control calls say of devices. It is seen by the workspaces of every region. */
export class DrnRecords {
  constructor(private readonly db: Database) {}

  get(visitorId: string): DrnRow | undefined {
    return this.db.get(
      "SELECT data, set_at FROM drn_records WHERE visitor_id = ?",
      visitorId,
    );
  }

  /** Puts it in the place of what was said before. */
  set(visitorId: string, data: string, setAtMs: number): void {
    this.db.run(
      `INSERT INTO drn_records (visitor_id, data, set_at) VALUES (?, ?, ?)
       ON CONFLICT (visitor_id) DO UPDATE
         SET data = excluded.data, set_at = excluded.set_at`,
      visitorId,
      data,
      setAtMs,
    );
  }
}
