import type { Region } from "@devid/sdk";
import { newStorageId } from "../../identity";
import type { Database } from "../database/database";
import type { DRN_RECORDS } from "../database/schema";
import type { RowOf } from "../database/table";

/** The settings of each workspace, as JSON. Only control calls change them. */
export class WorkspaceSettings {
  constructor(private readonly db: Database) {}

  get(workspace: Region): string | undefined {
    const row = this.db.get<{ settings: string }>(
      "SELECT settings FROM workspace_settings WHERE workspace = ?",
      workspace,
    );
    return row?.settings;
  }

  set(workspace: Region, settings: string): void {
    this.db.run(
      `INSERT INTO workspace_settings (workspace, settings) VALUES (?, ?)
       ON CONFLICT (workspace) DO UPDATE SET settings = excluded.settings`,
      workspace,
      settings,
    );
  }
}

/** The rules of each ruleset, as JSON. Only control calls change them. */
export class Rulesets {
  constructor(private readonly db: Database) {}

  get(workspace: Region, id: string): string | undefined {
    const row = this.db.get<{ rules: string }>(
      "SELECT rules FROM rulesets WHERE workspace = ? AND id = ?",
      workspace,
      id,
    );
    return row?.rules;
  }

  /** Adds a ruleset, or replaces the one with this ID. */
  set(workspace: Region, id: string, rules: string): void {
    this.db.run(
      `INSERT INTO rulesets (workspace, id, rules) VALUES (?, ?, ?)
       ON CONFLICT (workspace, id) DO UPDATE SET rules = excluded.rules`,
      workspace,
      id,
      rules,
    );
  }
}

/** The reputation of a device, as a control call has set it. */
type DrnRow = RowOf<typeof DRN_RECORDS>;

/**
 * The reputations that control calls have set. The workspaces of all regions
 * share them.
 */
export class DrnRecords {
  constructor(private readonly db: Database) {}

  get(visitorId: string): DrnRow | undefined {
    return this.db.get(
      "SELECT data, set_at FROM drn_records WHERE visitor_id = ?",
      visitorId,
    );
  }

  /** Sets the reputation of a device and drops the one before. */
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

  /** Removes a visitor from its device. */
  delete(workspace: Region, visitorId: string): void {
    this.db.run(
      "DELETE FROM related_visitors WHERE workspace = ? AND visitor_id = ?",
      workspace,
      visitorId,
    );
  }
}
