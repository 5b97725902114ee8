import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";

/**
 * Bounds of a log, for all workspaces together: the number of rows, their total size
 * without the oldest row, and their age by the service's clock.
 */
export interface LogBounds {
  readonly rows: number;
  readonly bytes: number;
  readonly ageMs: number;
}

/** A row that was deleted, because its log is bounded. */
export interface DroppedRow {
  readonly workspace: Region;
  readonly seq: number;
}

/**
 * A log of bounded size. It knows the total size of its rows, and the number of the
 * last deleted row, so that a reader can notice missed rows.
 */
export class BoundedLog {
  constructor(
    private readonly db: Database,
    private readonly log: "decisions" | "deliveries",
  ) {}

  /** The size of all rows up to the last one. */
  written(): number {
    const row = this.db.get<{ written: number }>(
      `SELECT written FROM ${this.log} WHERE seq = (SELECT max(seq) FROM ${this.log})`,
    );
    return row?.written ?? 0;
  }

  /** Notes rows that were deleted. */
  note(rows: readonly DroppedRow[]): void {
    for (const { workspace, seq } of rows)
      this.db.run(
        `INSERT INTO dropped_rows (log, workspace, through) VALUES (?, ?, ?)
         ON CONFLICT (log, workspace) DO UPDATE SET through = max(through, excluded.through)`,
        this.log,
        workspace,
        seq,
      );
  }

  /** The highest number of a deleted row of a workspace; 0 if no row was deleted. */
  through(workspace: Region): number {
    const row = this.db.get<{ through: number }>(
      "SELECT through FROM dropped_rows WHERE log = ? AND workspace = ?",
      this.log,
      workspace,
    );
    return row?.through ?? 0;
  }
}
