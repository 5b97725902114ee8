import type { Region } from "@devid/sdk";
import type { Db } from "./db";

/** The settings of each workspace, as JSON. Only control calls change them. */
export class WorkspaceSettings {
  constructor(private readonly db: Db) {}

  get(workspace: Region): string | undefined {
    return this.db.value(
      "SELECT settings FROM workspace_settings WHERE workspace = ?",
      workspace,
    );
  }

  set(workspace: Region, settings: string): void {
    this.db.run(
      "INSERT OR REPLACE INTO workspace_settings VALUES (?, ?)",
      workspace,
      settings,
    );
  }
}

/** The rules of each ruleset, as JSON. Only control calls change them. */
export class Rulesets {
  constructor(private readonly db: Db) {}

  get(workspace: Region, id: string): string | undefined {
    return this.db.value(
      "SELECT rules FROM rulesets WHERE workspace = ? AND id = ?",
      workspace,
      id,
    );
  }

  set(workspace: Region, id: string, rules: string): void {
    this.db.run(
      "INSERT OR REPLACE INTO rulesets VALUES (?, ?, ?)",
      workspace,
      id,
      rules,
    );
  }
}

/** A reputation that a control call has set. */
interface DrnRow {
  readonly visitor_id: string;
  /** JSON of the `data` of an answer, or of some members of it. */
  readonly data: string;
  /** Unix milliseconds. */
  readonly set_at: number;
}

/**
 * The reputations that control calls have set. The workspaces of all regions
 * share them.
 */
export class DrnRecords {
  constructor(private readonly db: Db) {}

  get(visitorId: string): DrnRow | undefined {
    return this.db.get(
      "SELECT * FROM drn_records WHERE visitor_id = ?",
      visitorId,
    );
  }

  /** Sets the reputation of a device and drops the one before. */
  set(visitorId: string, data: string, setAtMs: number): void {
    this.db.run(
      "INSERT OR REPLACE INTO drn_records VALUES (?, ?, ?)",
      visitorId,
      data,
      setAtMs,
    );
  }
}
