import type { Region } from "@devid/sdk";
import type { EnvironmentCreate, EnvironmentUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import { newEncryptionToken, newId } from "../../identity";
import {
  ENCRYPTION_KEYS,
  type EnvironmentRow,
  ENVIRONMENTS,
} from "../database/schema";
import { RecordTable } from "./record-table";

/** The environments of all workspaces, each with its encryption key (docs/contract.md, "Environment record"). */
export class Environments extends RecordTable<typeof ENVIRONMENTS.columns> {
  /**
   * The default environment of a workspace; undefined before the first start.
   */
  default(workspace: Region): EnvironmentRow | undefined {
    return this.db.get(
      "SELECT * FROM environments WHERE workspace = ? AND is_default = 1",
      workspace,
    );
  }

  create(
    workspace: Region,
    environment: z.output<typeof EnvironmentCreate>,
  ): EnvironmentRow {
    return this.db.transaction(() =>
      this.insert(workspace, newId(ENVIRONMENTS), false, environment),
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
    const row = this.db.insert(ENVIRONMENTS, {
      ...environment,
      limit_mode: environment.limit_mode ?? "none",
      id,
      workspace,
      is_default: isDefault ? 1 : 0,
      created_at: now,
    });
    this.db.insert(ENCRYPTION_KEYS, {
      id: newId(ENCRYPTION_KEYS),
      workspace,
      environment: id,
      name: `${environment.name} encryption key`,
      status: "disabled",
      token: newEncryptionToken(),
      next_token: newEncryptionToken(),
      created_at: now,
    });
    return row;
  }

  /** Changes the given properties. */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof EnvironmentUpdate>,
  ): EnvironmentRow | undefined {
    const updated_at = this.clock.now();
    return this.change(workspace, id, () => ({ ...change, updated_at }));
  }
}
