import type { Region } from "@devid/sdk";
import type { Db } from "./db";

/**
 * Bounds of a log, for all workspaces together: the number of rows, and their total size
 * without the oldest row.
 */
export interface LogBounds {
  readonly rows: number;
  readonly bytes: number;
}

/** A log of bounded size. It knows the total size of its rows. */
export abstract class BoundedLog {
  /**
   * `endedAt` is the column that says when a row ended; a row without it is always kept.
   * `ofEvent` is the SQL that is true for the rows about a stored event.
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
   * Deletes the oldest rows, up to the first one that is within the bounds. Call it
   * after a row was added.
   */
  protected dropOld({ rows, bytes }: LogBounds): void {
    const { log, endedAt } = this;
    // The walk starts at the oldest row and ends at the first one that is kept.
    const firstKept = `
      SELECT seq FROM ${log}
       WHERE ${endedAt} IS NOT NULL
         AND seq > (SELECT max(seq) FROM ${log}) - ?
         AND written > (SELECT written FROM ${log} WHERE seq = (SELECT max(seq) FROM ${log})) - ?
       ORDER BY seq LIMIT 1`;
    this.db.run(
      `DELETE FROM ${log}
        WHERE ${endedAt} IS NOT NULL AND seq < coalesce((${firstKept}), last_insert_rowid())`,
      rows,
      bytes,
    );
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
