import type { Region } from "@devid/sdk";
import type { EnvironmentCreate, EnvironmentUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import { newEncryptionToken, newId } from "../../identity";
import { type Page, type Place, readPage } from "../database/page";
import { RecordTable } from "./record-table";

/** A stored environment. */
export interface EnvironmentRow {
  readonly seq: number;
  readonly id: string;
  readonly workspace: Region;
  readonly is_default: number;
  readonly name: string;
  readonly description: string | null;
  readonly limit_mode: "none" | "restrict" | "notify";
  readonly limit_value: number | null;
  readonly is_restricted: number;
  readonly restricted_at: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
}

/** The environments of all workspaces, each with its encryption key (docs/contract.md, "Environment record"). */
export class Environments extends RecordTable<EnvironmentRow> {
  protected readonly table = "environments";

  list(workspace: Region, place: Place, limit: number): Page<EnvironmentRow> {
    return readPage(this.db, this.table, { workspace }, place, limit);
  }

  /**
   * The default environment of a workspace; undefined before the first start.
   */
  default(workspace: Region): EnvironmentRow | undefined {
    return this.db.remember(`default environment of ${workspace}`, () =>
      this.db.get(
        "SELECT * FROM environments WHERE workspace = ? AND is_default = 1",
        workspace,
      ),
    );
  }

  create(
    workspace: Region,
    environment: z.output<typeof EnvironmentCreate>,
  ): EnvironmentRow {
    return this.db.transaction(() =>
      this.insert(workspace, newId("ae"), false, environment),
    );
  }

  /**
   * Adds an environment and its encryption key, which starts disabled. Call it
   * inside a transaction.
   */
  insert(
    workspace: Region,
    id: string,
    isDefault: boolean,
    environment: z.output<typeof EnvironmentCreate>,
  ): EnvironmentRow {
    const now = this.clock.now();
    const row = this.db.get<EnvironmentRow>(
      `INSERT INTO environments
         (id, workspace, is_default, name, description, limit_mode, limit_value, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
      id,
      workspace,
      isDefault ? 1 : 0,
      environment.name,
      environment.description ?? null,
      environment.limit_mode ?? "none",
      environment.limit_value ?? null,
      now,
    );
    this.db.run(
      `INSERT INTO encryption_keys
         (id, workspace, environment, name, status, token, next_token, created_at)
       VALUES (?, ?, ?, ?, 'disabled', ?, ?, ?)`,
      newId("ek"),
      workspace,
      id,
      `${environment.name} encryption key`,
      newEncryptionToken(),
      newEncryptionToken(),
      now,
    );
    // RETURNING answers the row that was just written.
    return row as EnvironmentRow;
  }

  /** Changes the given properties. */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof EnvironmentUpdate>,
  ): EnvironmentRow | undefined {
    const old = this.get(workspace, id);
    if (!old) return undefined;
    return this.db.get(
      `UPDATE environments
          SET name = ?, description = ?, limit_mode = ?, limit_value = ?, updated_at = ?
        WHERE id = ? RETURNING *`,
      change.name ?? old.name,
      change.description === undefined ? old.description : change.description,
      change.limit_mode ?? old.limit_mode,
      change.limit_value === undefined ? old.limit_value : change.limit_value,
      this.clock.now(),
      id,
    );
  }

  /**
   * The number of enabled API keys, which prevent the deletion of the
   * environment.
   */
  activeApiKeys(id: string): number {
    const row = this.db.get<{ n: number }>(
      "SELECT count(*) AS n FROM api_keys WHERE environment = ? AND status = 'enabled'",
      id,
    );
    return row?.n ?? 0;
  }
}
