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
    const { kind } = this;
    const equal = { kind, workspace, id };
    const [found] = this.db.find<{ value: string }>("control_records", equal);
    return found?.value;
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
