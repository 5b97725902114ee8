import type { Region } from "@devid/sdk";
import type { Db } from "./db";

/**
 * What control calls have set, as JSON: the settings of a workspace, rulesets, and the
 * reputations of devices. The workspaces of all regions share reputations.
 */
export class ControlRecords {
  constructor(
    private readonly db: Db,
    private readonly kind: "settings" | "ruleset" | "reputation",
  ) {}

  get(workspace: Region | "all", id = ""): string | undefined {
    return this.db.value(
      "SELECT value FROM control_records WHERE kind = ? AND workspace = ? AND id = ?",
      this.kind,
      workspace,
      id,
    );
  }

  /** Sets a record in place of the one before. */
  set(workspace: Region | "all", id: string, value: object): void {
    this.db.run(
      "INSERT OR REPLACE INTO control_records VALUES (?, ?, ?, ?)",
      this.kind,
      workspace,
      id,
      JSON.stringify(value),
    );
  }
}
