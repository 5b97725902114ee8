import type { Region } from "@devid/sdk";
import { newStorageId, newVisitorId } from "../../identity";
import type { Database } from "../database/database";

/** A visitor of a workspace; all its environments share it. */
export interface VisitorRow {
  readonly seq: number;
  readonly visitor_id: string;
  /**
   * The ID that the visitor's browser keeps. It reveals nothing about the
   * visitor.
   */
  readonly storage_id: string;
  readonly first_seen_at: number;
  /** The time of the last visit, or of the first one. */
  readonly last_seen_at: number;
  /** The digest of the device of the last visit. */
  readonly device: string | null;
  /**
   * The `seq` of its High Recall ID; null for an app, and for a browser that was
   * last seen before the service had such IDs.
   */
  readonly high_recall: number | null;
}

/** The traces by which a visitor is recognised. */
interface VisitorTraces {
  readonly storageId: string | undefined;
  /** The digest of the device; undefined where nothing is known about it. */
  readonly device: string | undefined;
}

/** The visitors of all workspaces. */
export class Visitors {
  constructor(private readonly db: Database) {}

  /**
   * The visitor with this storage ID, or else the last visitor with this
   * device.
   */
  find(
    workspace: Region,
    { storageId, device }: VisitorTraces,
  ): VisitorRow | undefined {
    const kept =
      storageId === undefined
        ? undefined
        : this.db.get<VisitorRow>(
            "SELECT * FROM visitors WHERE workspace = ? AND storage_id = ?",
            workspace,
            storageId,
          );
    if (kept || device === undefined) return kept;
    return this.db.get(
      `SELECT * FROM visitors WHERE workspace = ? AND device = ?
        ORDER BY last_seen_at DESC, seq DESC LIMIT 1`,
      workspace,
      device,
    );
  }

  /** Adds a new visitor. */
  add(
    workspace: Region,
    device: string | undefined,
    nowMs: number,
  ): VisitorRow {
    const row = this.db.get<VisitorRow>(
      `INSERT INTO visitors
         (workspace, visitor_id, storage_id, device, first_seen_at, last_seen_at)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING *`,
      workspace,
      newVisitorId(),
      newStorageId(),
      device ?? null,
      nowMs,
      nowMs,
    );
    // RETURNING answers the row that was just written.
    return row as VisitorRow;
  }

  /** Whether a visitor of the workspace has this ID. */
  has(workspace: Region, visitorId: string): boolean {
    const row = this.db.get(
      "SELECT 1 FROM visitors WHERE visitor_id = ? AND workspace = ?",
      visitorId,
      workspace,
    );
    return row !== undefined;
  }

  /** Deletes a visitor with its traces, so that it is a new one next time. */
  delete(workspace: Region, visitorId: string): void {
    this.db.run(
      "DELETE FROM visitors WHERE visitor_id = ? AND workspace = ?",
      visitorId,
      workspace,
    );
  }

  /**
   * Stores a visit and its device: an update of the browser changes the device.
   */
  seen(
    { seq, device: known }: VisitorRow,
    device: string | undefined,
    nowMs: number,
  ): void {
    const at = "UPDATE visitors SET last_seen_at = ?";
    // An assignment writes the index, too, whether or not the value changes.
    if (device === undefined || device === known)
      this.db.run(`${at} WHERE seq = ?`, nowMs, seq);
    else this.db.run(`${at}, device = ? WHERE seq = ?`, nowMs, device, seq);
  }
}
