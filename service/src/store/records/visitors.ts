import type { Region } from "@devid/sdk";
import { newStorageId, newVisitorId } from "../../identity";
import type { Database } from "../database/database";
import { type VisitorRow, VISITORS } from "../database/schema";

/** The traces by which a visitor is recognised. */
interface VisitorTraces {
  readonly storageId: string | undefined;
  /** The digest of the device; undefined if nothing is known about the device. */
  readonly device: string | undefined;
}

/** The visitors of all workspaces. */
export class Visitors {
  constructor(private readonly db: Database) {}

  /** The visitor with this storage ID. Without one, the last visitor with this device. */
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
    return this.db.insert(VISITORS, {
      workspace,
      visitor_id: newVisitorId(),
      storage_id: newStorageId(),
      device,
      first_seen_at: nowMs,
      last_seen_at: nowMs,
    });
  }

  has(workspace: Region, visitorId: string): boolean {
    const sql = "SELECT 1 FROM visitors WHERE visitor_id = ? AND workspace = ?";
    return this.db.value(sql, visitorId, workspace) !== undefined;
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
   * Stores the time of a visit and its device. An update of the browser changes the
   * device.
   */
  seen(
    { seq, device: known }: VisitorRow,
    device: string | undefined,
    nowMs: number,
  ): void {
    const at = "UPDATE visitors SET last_seen_at = ?";
    // SQLite writes the index even if the assigned value is the old one.
    if (device === undefined || device === known)
      this.db.run(`${at} WHERE seq = ?`, nowMs, seq);
    else this.db.run(`${at}, device = ? WHERE seq = ?`, nowMs, device, seq);
  }
}
