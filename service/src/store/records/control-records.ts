import type { Region } from "@devid/sdk";
import { newStorageId } from "../../identity";
import type { Database } from "../database/database";
import {
  DRN_RECORDS,
  RELATED_VISITORS,
  RULESETS,
  WORKSPACE_SETTINGS,
} from "../database/schema";
import type { RowOf } from "../database/table";

/** The settings of each workspace, as JSON. Only control calls change them. */
export class WorkspaceSettings {
  constructor(private readonly db: Database) {}

  get(workspace: Region): string | undefined {
    return this.db.value(
      "SELECT settings FROM workspace_settings WHERE workspace = ?",
      workspace,
    );
  }

  set(workspace: Region, settings: string): void {
    const row = { workspace, settings };
    this.db.insert(WORKSPACE_SETTINGS, row, "INSERT OR REPLACE");
  }
}

/** The rules of each ruleset, as JSON. Only control calls change them. */
export class Rulesets {
  constructor(private readonly db: Database) {}

  get(workspace: Region, id: string): string | undefined {
    return this.db.value(
      "SELECT rules FROM rulesets WHERE workspace = ? AND id = ?",
      workspace,
      id,
    );
  }

  set(workspace: Region, id: string, rules: string): void {
    this.db.insert(RULESETS, { workspace, id, rules }, "INSERT OR REPLACE");
  }
}

/**
 * The reputations that control calls have set. The workspaces of all regions
 * share them.
 */
export class DrnRecords {
  constructor(private readonly db: Database) {}

  get(visitorId: string): RowOf<typeof DRN_RECORDS> | undefined {
    return this.db.get(
      "SELECT * FROM drn_records WHERE visitor_id = ?",
      visitorId,
    );
  }

  /** Sets the reputation of a device and drops the one before. */
  set(visitorId: string, data: string, setAtMs: number): void {
    const row = { visitor_id: visitorId, data, set_at: setAtMs };
    this.db.insert(DRN_RECORDS, row, "INSERT OR REPLACE");
  }
}

/**
 * Which visitors are browsers of one mobile device. Control calls set this, because a
 * visit does not show it.
 */
export class RelatedVisitors {
  constructor(private readonly db: Database) {}

  /**
   * Makes these visitors, and no others, the browsers of one device. Each visitor
   * leaves its earlier device.
   */
  set(workspace: Region, visitorIds: readonly string[]): void {
    const device = newStorageId();
    this.db.transaction(() => {
      for (const visitor_id of visitorIds) {
        const row = { workspace, visitor_id, device };
        this.db.insert(RELATED_VISITORS, row, "INSERT OR REPLACE");
      }
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

  delete(workspace: Region, visitorId: string): void {
    this.db.run(
      "DELETE FROM related_visitors WHERE workspace = ? AND visitor_id = ?",
      workspace,
      visitorId,
    );
  }
}
