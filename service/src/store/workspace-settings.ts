import type { Region } from "@devid/sdk";
import type { Database } from "./database";

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
