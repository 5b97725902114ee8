import type { Region } from "@devid/sdk";
import type { Db } from "./db";
import type { SqlValue } from "./sql-value";

/**
 * Bounds of a log, for all workspaces together: the number of rows, their total size
 * without the oldest row, and their age by the service's clock.
 */
export interface LogBounds {
  readonly rows: number;
  readonly bytes: number;
  readonly ageMs: number;
}

/**
 * A log of bounded size. It knows the total size of its rows, and the number of the
 * last deleted row, so that a reader can notice missed rows.
 */
export abstract class BoundedLog {
  /**
   * `endedAt` is the column whose time bounds the age of a row; a row without it is
   * always kept. `ofEvent` is the SQL that is true for the rows about a stored event.
   */
  constructor(
    protected readonly db: Db,
    private readonly log: "decisions" | "deliveries",
    private readonly endedAt: "at" | "ended_at",
    private readonly ofEvent: string,
  ) {}

  /** The size of all rows up to the last one. */
  protected written(): number {
    const { log } = this;
    const last = `SELECT written FROM ${log} WHERE seq = (SELECT max(seq) FROM ${log})`;
    return this.db.value(last) ?? 0;
  }

  /**
   * Deletes the oldest rows, up to the first one that is within the bounds, and notes
   * their numbers. Call it after a row was added.
   */
  protected dropOld({ rows, bytes }: LogBounds, since: SqlValue): void {
    const { log, endedAt } = this;
    // The walk starts at the oldest row and ends at the first one that is kept.
    const firstKept = `
      SELECT seq FROM ${log}
       WHERE ${endedAt} IS NOT NULL
         AND seq > (SELECT max(seq) FROM ${log}) - ?
         AND written > (SELECT written FROM ${log} WHERE seq = (SELECT max(seq) FROM ${log})) - ?
         AND ${endedAt} >= ?
       ORDER BY seq LIMIT 1`;
    const dropped = this.db.all<{ workspace: Region; seq: number }>(
      `DELETE FROM ${log}
        WHERE ${endedAt} IS NOT NULL AND seq < coalesce((${firstKept}), last_insert_rowid())
        RETURNING workspace, seq`,
      rows,
      bytes,
      since,
    );
    for (const { workspace, seq } of dropped)
      this.db.run(
        `INSERT INTO dropped_rows (log, workspace, through) VALUES (?, ?, ?)
         ON CONFLICT (log, workspace) DO UPDATE SET through = max(through, excluded.through)`,
        log,
        workspace,
        seq,
      );
  }

  /** The highest number of a deleted row of a workspace; 0 if no row was deleted. */
  droppedThrough(workspace: Region): number {
    const through = this.db.value<number>(
      "SELECT through FROM dropped_rows WHERE log = ? AND workspace = ?",
      this.log,
      workspace,
    );
    return through ?? 0;
  }

  /** Deletes the rows about events that have been deleted. */
  deleteWithoutEvent(workspace: Region): void {
    const { log, ofEvent } = this;
    this.db.run(
      `DELETE FROM ${log}
        WHERE workspace = ? AND ${ofEvent}
          AND NOT EXISTS (
            SELECT 1 FROM events INDEXED BY events_by_id
             WHERE events.workspace = ${log}.workspace
               AND events.event_id = ${log}.event_id)`,
      workspace,
    );
  }
}
