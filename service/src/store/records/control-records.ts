import type { Region } from "@devid/sdk";
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

/** What was said of a device. */
interface DrnRow {
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
