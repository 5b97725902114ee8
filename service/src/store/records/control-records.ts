import type { Region } from "@devid/sdk/regions";
import type { Ruleset } from "../../server-api/ruleset";
import type { Database } from "../database/database";

/** Settings of each workspace that only control calls change, as JSON. */
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

/** The rulesets of all workspaces. */
export class Rulesets {
  constructor(private readonly db: Database) {}

  get(workspace: Region, id: string): Ruleset | undefined {
    const row = this.db.get<{ rules: string }>(
      "SELECT rules FROM rulesets WHERE workspace = ? AND id = ?",
      workspace,
      id,
    );
    // What is stored was checked when it was stored.
    return row && { id, rules: JSON.parse(row.rules) as Ruleset["rules"] };
  }

  /** Adds a ruleset, or puts it in the place of the one with its ID. */
  set(workspace: Region, { id, rules }: Ruleset): void {
    this.db.run(
      `INSERT INTO rulesets (workspace, id, rules) VALUES (?, ?, ?)
       ON CONFLICT (workspace, id) DO UPDATE SET rules = excluded.rules`,
      workspace,
      id,
      JSON.stringify(rules),
    );
  }
}

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
