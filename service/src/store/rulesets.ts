import type { Region } from "@devid/sdk";
import type { Ruleset } from "../events/ruleset";
import type { Database } from "./database";

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
