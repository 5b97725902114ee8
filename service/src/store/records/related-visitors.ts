import type { Region } from "@devid/sdk";
import { newStorageId } from "../../identity";
import type { Database } from "../database/database";

/**
 * Which visitors are browsers of one mobile device. Only control calls tell, for
 * nothing in a visit does.
 */
export class RelatedVisitors {
  constructor(private readonly db: Database) {}

  /**
   * Says that these visitors, and no others, are browsers of one device. Each of
   * them leaves the device that it was of before.
   */
  set(workspace: Region, visitorIds: readonly string[]): void {
    const device = newStorageId();
    this.db.transaction(() => {
      for (const visitorId of visitorIds)
        this.db.run(
          `INSERT INTO related_visitors (workspace, visitor_id, device)
           VALUES (?, ?, ?)
           ON CONFLICT (workspace, visitor_id) DO UPDATE SET device = excluded.device`,
          workspace,
          visitorId,
          device,
        );
    });
  }

  /** The other visitors of the same device, in the order of their IDs. */
  of(workspace: Region, visitorId: string): string[] {
    const rows = this.db.all<{ visitor_id: string }>(
      `SELECT visitor_id FROM related_visitors
        WHERE workspace = ?1 AND visitor_id <> ?2 AND device =
          (SELECT device FROM related_visitors WHERE workspace = ?1 AND visitor_id = ?2)
        ORDER BY visitor_id`,
      workspace,
      visitorId,
    );
    return rows.map(({ visitor_id }) => visitor_id);
  }

  /** Forgets what a visitor is related to. */
  delete(workspace: Region, visitorId: string): void {
    this.db.run(
      "DELETE FROM related_visitors WHERE workspace = ? AND visitor_id = ?",
      workspace,
      visitorId,
    );
  }
}
