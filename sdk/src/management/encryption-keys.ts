import type { CallOptions } from "../http/request";
import { Collection } from "./collection";
import type { InputOf, ManagementApi, RecordOf } from "./management-api";
import {
  EncryptionKeyFilter,
  EncryptionKeyRecord,
  EncryptionKeyUpdate,
} from "../wire/management";

/** An encryption key with its current, previous and next token. */
export type EncryptionKey = RecordOf<typeof EncryptionKeyRecord>;

/**
 * Encryption keys of the workspace, one an environment; they come and go with
 * it (docs/contract.md, "Encryption key record").
 */
export class EncryptionKeys extends Collection<
  typeof EncryptionKeyRecord,
  typeof EncryptionKeyFilter
> {
  constructor(api: ManagementApi) {
    const spec = {
      path: "/encryption-keys",
      singular: "encryption key",
      record: EncryptionKeyRecord,
    };
    super(api, spec, EncryptionKeyFilter);
  }

  /** One encryption key (docs/contract.md, "GET /encryption-keys/{id}"). @throws NotFoundError */
  get(id: string, options?: CallOptions): Promise<EncryptionKey> {
    return this.callOne("Reading", id, {}, options);
  }

  /** Changes what is given (docs/contract.md, "PATCH /encryption-keys/{id}"). @throws NotFoundError */
  update(
    id: string,
    input: InputOf<typeof EncryptionKeyUpdate>,
    options?: CallOptions,
  ): Promise<EncryptionKey> {
    const body = { schema: EncryptionKeyUpdate, input };
    return this.callOne("Updating", id, { method: "PATCH", body }, options);
  }

  /**
   * Moves the next token to current and the current one to previous
   * (docs/contract.md, "POST /encryption-keys/{id}/rotate").
   * @throws AmbiguousError when it may have been rotated; the token tells
   */
  rotate(id: string, options?: CallOptions): Promise<EncryptionKey> {
    const call = { method: "POST", action: "rotate" } as const;
    return this.callOne("Rotating", id, call, options);
  }

  /**
   * Takes the last rotation back (docs/contract.md, "POST /encryption-keys/{id}/revert").
   * @throws ConflictError when there is none, AmbiguousError when it may have been taken back
   */
  revert(id: string, options?: CallOptions): Promise<EncryptionKey> {
    const call = { method: "POST", action: "revert" } as const;
    return this.callOne("Reverting the rotation of", id, call, options);
  }
}
