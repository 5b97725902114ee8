import type { Region } from "@devid/sdk";
import type { EncryptionKeyUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import { newEncryptionToken } from "../../identity";
import { type Page, type Place, readPage } from "../database/page";
import { RecordTable } from "./record-table";

/** A stored encryption key. */
export interface EncryptionKeyRow {
  readonly seq: number;
  readonly id: string;
  readonly workspace: Region;
  readonly environment: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: "enabled" | "disabled";
  readonly previous_token: string | null;
  readonly token: string;
  readonly next_token: string;
  readonly created_at: string;
  readonly last_activated_at: string | null;
  readonly last_deactivated_at: string | null;
  readonly last_rotated_at: string | null;
}

/** What a list of encryption keys can be filtered by. */
export type EncryptionKeyFilter = Partial<
  Pick<EncryptionKeyRow, "status" | "environment">
>;

/** The encryption keys, one for each environment (docs/contract.md, "Encryption key record"). */
export class EncryptionKeys extends RecordTable<EncryptionKeyRow> {
  protected readonly table = "encryption_keys";

  list(
    workspace: Region,
    { status, environment }: EncryptionKeyFilter,
    place: Place,
    limit: number,
  ): Page<EncryptionKeyRow> {
    const equal = { workspace, status, environment };
    return readPage(this.db, this.table, equal, place, limit);
  }

  /** The key of an environment; every environment has exactly one. */
  of(environment: string): EncryptionKeyRow | undefined {
    return this.db.remember(`encryption key of ${environment}`, () =>
      this.db.get(
        "SELECT * FROM encryption_keys WHERE environment = ?",
        environment,
      ),
    );
  }

  /** Changes the given properties. A change of the status stores its time. */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof EncryptionKeyUpdate>,
  ): EncryptionKeyRow | undefined {
    const old = this.get(workspace, id);
    if (!old) return undefined;
    const status = change.status ?? old.status;
    const moved = status === old.status ? undefined : this.clock.now();
    return this.db.get(
      `UPDATE encryption_keys
          SET name = ?, description = ?, status = ?, last_activated_at = ?, last_deactivated_at = ?
        WHERE id = ? RETURNING *`,
      change.name ?? old.name,
      change.description === undefined ? old.description : change.description,
      status,
      (status === "enabled" ? moved : undefined) ?? old.last_activated_at,
      (status === "disabled" ? moved : undefined) ?? old.last_deactivated_at,
      id,
    );
  }

  /** The current token becomes the previous one, the next the current one, and a new next is made. */
  rotate(workspace: Region, id: string): EncryptionKeyRow | undefined {
    return this.db.get(
      `UPDATE encryption_keys
          SET previous_token = token, token = next_token, next_token = ?, last_rotated_at = ?
        WHERE workspace = ? AND id = ? RETURNING *`,
      newEncryptionToken(),
      this.clock.now(),
      workspace,
      id,
    );
  }

  /**
   * Undoes the last rotation, once. Undefined where there is nothing to undo.
   */
  revert(workspace: Region, id: string): EncryptionKeyRow | undefined {
    return this.db.get(
      `UPDATE encryption_keys
          SET next_token = token, token = previous_token, previous_token = NULL
        WHERE workspace = ? AND id = ? AND previous_token IS NOT NULL RETURNING *`,
      workspace,
      id,
    );
  }
}
