import type { Region } from "@devid/sdk";
import type { EncryptionKeyUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import { newEncryptionToken } from "../../identity";
import { ENCRYPTION_KEYS, type EncryptionKeyRow } from "../database/schema";
import { RecordTable } from "./record-table";

/** The encryption keys, one for each environment (docs/contract.md, "Encryption key record"). */
export class EncryptionKeys extends RecordTable<
  typeof ENCRYPTION_KEYS.columns
> {
  /** The key of an environment; every environment has exactly one. */
  of(environment: string): EncryptionKeyRow | undefined {
    return this.db.get(
      "SELECT * FROM encryption_keys WHERE environment = ?",
      environment,
    );
  }

  /** Changes the given properties. A change of the status stores its time. */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof EncryptionKeyUpdate>,
  ): EncryptionKeyRow | undefined {
    return this.change(workspace, id, (old) => {
      const { status = old.status } = change;
      const moved = status === old.status ? undefined : this.clock.now();
      return {
        ...change,
        status,
        last_activated_at: status === "enabled" ? moved : undefined,
        last_deactivated_at: status === "disabled" ? moved : undefined,
      };
    });
  }

  /**
   * Makes the current token the previous token and the next token the current token,
   * and makes a new next token.
   */
  rotate(workspace: Region, id: string): EncryptionKeyRow | undefined {
    return this.change(workspace, id, (old) => ({
      previous_token: old.token,
      token: old.next_token,
      next_token: newEncryptionToken(),
      last_rotated_at: this.clock.now(),
    }));
  }

  /** Undoes the last rotation, once. Undefined when there is no rotation to undo. */
  revert(workspace: Region, id: string): EncryptionKeyRow | undefined {
    const old = this.get(workspace, id);
    if (!old?.previous_token) return undefined;
    return this.db.update(ENCRYPTION_KEYS, old.seq, {
      next_token: old.token,
      token: old.previous_token,
      previous_token: null,
    });
  }
}
