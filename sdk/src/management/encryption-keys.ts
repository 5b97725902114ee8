import type {
  CallOptions,
  InputOf,
  ListOptions,
  ManagementApi,
  Page,
  RecordOf,
} from "./management-api";
import { eachItem } from "./pages";
import {
  EncryptionKeyFilter,
  EncryptionKeyRecord,
  EncryptionKeyUpdate,
} from "./wire";

/** An encryption key with its current, previous and next token. */
export type EncryptionKey = RecordOf<typeof EncryptionKeyRecord>;

type Filter = InputOf<typeof EncryptionKeyFilter>;

const at = (id: string) => `/encryption-keys/${encodeURIComponent(id)}`;

/**
 * Encryption keys of the workspace, one an environment; they come and go with
 * it (docs/contract.md, "Encryption key record").
 */
export class EncryptionKeys {
  constructor(private readonly api: ManagementApi) {}

  /** One page (docs/contract.md, "GET /encryption-keys"). */
  list(options: Filter & ListOptions = {}): Promise<Page<EncryptionKey>> {
    const { signal, ...query } = options;
    const operation = "Listing encryption keys";
    const path = "/encryption-keys";
    return this.api.page(EncryptionKeyRecord, EncryptionKeyFilter, {
      operation,
      path,
      query,
      signal,
    });
  }

  /** Every encryption key that the filter lets through, page by page. */
  listAll(options: Filter & CallOptions = {}) {
    return eachItem((page) => this.list({ ...options, ...page }), options);
  }

  /** One encryption key (docs/contract.md, "GET /encryption-keys/{id}"). @throws NotFoundError */
  get(id: string, options: CallOptions = {}): Promise<EncryptionKey> {
    const operation = `Reading encryption key ${id}`;
    return this.api.one(EncryptionKeyRecord, {
      operation,
      path: at(id),
      ...options,
    });
  }

  /** Changes what is given (docs/contract.md, "PATCH /encryption-keys/{id}"). @throws NotFoundError */
  update(
    id: string,
    input: InputOf<typeof EncryptionKeyUpdate>,
    options: CallOptions = {},
  ): Promise<EncryptionKey> {
    return this.api.one(EncryptionKeyRecord, {
      operation: `Updating encryption key ${id}`,
      method: "PATCH",
      path: at(id),
      body: { schema: EncryptionKeyUpdate, input },
      ...options,
    });
  }

  /**
   * Moves the next token to current and the current one to previous
   * (docs/contract.md, "POST /encryption-keys/{id}/rotate").
   * @throws AmbiguousError when it may have been rotated; `lastRotatedAt` tells
   */
  rotate(id: string, options: CallOptions = {}): Promise<EncryptionKey> {
    return this.api.one(EncryptionKeyRecord, {
      operation: `Rotating encryption key ${id}`,
      method: "POST",
      path: `${at(id)}/rotate`,
      ...options,
    });
  }

  /**
   * Takes the last rotation back (docs/contract.md, "POST /encryption-keys/{id}/revert").
   * @throws ConflictError when there is none, AmbiguousError when it may have been taken back
   */
  revert(id: string, options: CallOptions = {}): Promise<EncryptionKey> {
    return this.api.one(EncryptionKeyRecord, {
      operation: `Reverting the rotation of encryption key ${id}`,
      method: "POST",
      path: `${at(id)}/revert`,
      ...options,
    });
  }
}
