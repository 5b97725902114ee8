import type { CallOptions } from "../http/request";
import { Collection } from "./collection";
import type { ListOptions } from "./management-api";
import type { InputOf, RecordOf } from "./records";
import { ENCRYPTION_KEY } from "../wire/operations";
import type {
  EncryptionKeyFilter,
  EncryptionKeyRecord,
  EncryptionKeyUpdate,
} from "../wire/management";

/** An encryption key with its current, previous and next token. */
export type EncryptionKey = RecordOf<typeof EncryptionKeyRecord>;

/** The changes of an encryption key. A field that is left out keeps its value. */
export type EncryptionKeyUpdateInput = InputOf<typeof EncryptionKeyUpdate>;

/** Filters and page of a list of encryption keys. */
export type EncryptionKeyListOptions = InputOf<typeof EncryptionKeyFilter> &
  ListOptions;

/**
 * Encryption keys of the workspace. Each environment has one key, which the service
 * creates and deletes with the environment (docs/contract.md, "Encryption key record").
 */
export class EncryptionKeys extends Collection<
  typeof EncryptionKeyRecord,
  typeof EncryptionKeyFilter
> {
  protected readonly pages = ENCRYPTION_KEY.list;

  /**
   * One encryption key (docs/contract.md, "GET /encryption-keys/{id}").
   * @throws NotFoundError
   *
   * @example
   * const { token, previousToken } = await client.encryptionKeys.get(keyId);
   */
  get(id: string, options?: CallOptions): Promise<EncryptionKey> {
    return this.api.call(ENCRYPTION_KEY.get, { id }, options);
  }

  /**
   * Updates the given fields (docs/contract.md, "PATCH /encryption-keys/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.encryptionKeys.update(keyId, { status: "enabled" });
   */
  update(
    id: string,
    input: EncryptionKeyUpdateInput,
    options?: CallOptions,
  ): Promise<EncryptionKey> {
    return this.api.call(ENCRYPTION_KEY.update, { id, input }, options);
  }

  /**
   * Makes the next token the current token, and the current token the previous token
   * (docs/contract.md, "POST /encryption-keys/{id}/rotate").
   * @throws AmbiguousError when the key may have been rotated. Compare `token` to find
   * out.
   *
   * @example
   * const { token, previousToken } = await client.encryptionKeys.rotate(keyId);
   */
  rotate(id: string, options?: CallOptions): Promise<EncryptionKey> {
    return this.api.call(ENCRYPTION_KEY.rotate, { id }, options);
  }

  /**
   * Undoes the last rotation (docs/contract.md, "POST /encryption-keys/{id}/revert").
   * @throws ConflictError when there is no rotation to undo, AmbiguousError when the
   * rotation may have been undone
   *
   * @example
   * const { token } = await client.encryptionKeys.revert(keyId);
   */
  revert(id: string, options?: CallOptions): Promise<EncryptionKey> {
    return this.api.call(ENCRYPTION_KEY.revert, { id }, options);
  }
}
