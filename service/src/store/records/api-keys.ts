import type { Region } from "@devid/sdk";
import type { ApiKeyCreate, ApiKeyUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import { newId, newToken } from "../../identity";
import { type Page, type Place, readPage } from "../database/page";
import { RecordTable } from "./record-table";

/**
 * Requests per second of a key without a rate of its own (docs/assumptions.md,
 * A19).
 */
export const DEFAULT_RATE_LIMIT = 5;

/** The rate that somebody has given a key; undefined for that of a new key. */
export function ownRateOf(key: ApiKeyRow): number | undefined {
  return key.has_own_rate === 1 ? key.rate_limit : undefined;
}

/** A stored API key. */
export interface ApiKeyRow {
  readonly seq: number;
  readonly id: string;
  readonly workspace: Region;
  readonly environment: string | null;
  readonly type: "public" | "secret" | "proxy";
  readonly name: string;
  readonly description: string | null;
  readonly status: "enabled" | "disabled";
  readonly rate_limit: number;
  /** 1 where somebody has given the key its rate. */
  readonly has_own_rate: number;
  readonly token: string;
  readonly created_at: string;
  readonly disabled_at: string | null;
}

/** What a list of API keys can be filtered by. */
export type ApiKeyFilter = Partial<
  Pick<ApiKeyRow, "type" | "status" | "environment">
>;

/** The API keys of all workspaces (docs/contract.md, "API key record"). */
export class ApiKeys extends RecordTable<ApiKeyRow> {
  protected readonly table = "api_keys";

  list(
    workspace: Region,
    { type, status, environment }: ApiKeyFilter,
    place: Place,
    limit: number,
  ): Page<ApiKeyRow> {
    const equal = { workspace, type, status, environment };
    return readPage(this.db, this.table, equal, place, limit);
  }

  /** The key with this token, in any workspace. */
  withToken(token: string): ApiKeyRow | undefined {
    return this.db.remember(`API key ${token}`, () =>
      this.db.get("SELECT * FROM api_keys WHERE token = ?", token),
    );
  }

  create(
    workspace: Region,
    key: z.output<typeof ApiKeyCreate>,
    environment: string | null,
  ): ApiKeyRow {
    const row = this.db.get<ApiKeyRow>(
      `INSERT INTO api_keys
         (id, workspace, environment, type, name, description, status, rate_limit, token, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 'enabled', ?, ?, ?) RETURNING *`,
      newId("tok"),
      workspace,
      environment,
      key.type,
      key.name,
      key.description ?? null,
      DEFAULT_RATE_LIMIT,
      newToken(key.type),
      this.clock.now(),
    );
    // RETURNING answers the row that was just written.
    return row as ApiKeyRow;
  }

  /**
   * Changes the given properties. Disabling a key sets the time of it, enabling
   * clears it.
   */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof ApiKeyUpdate>,
  ): ApiKeyRow | undefined {
    const old = this.get(workspace, id);
    if (!old) return undefined;
    const status = change.status ?? old.status;
    return this.db.get(
      `UPDATE api_keys
          SET name = ?, description = ?, status = ?, rate_limit = ?, has_own_rate = ?, disabled_at = ?
        WHERE id = ? RETURNING *`,
      change.name ?? old.name,
      change.description === undefined ? old.description : change.description,
      status,
      change.rate_limit ?? old.rate_limit,
      change.rate_limit === undefined ? old.has_own_rate : 1,
      status === "enabled" ? null : (old.disabled_at ?? this.clock.now()),
      id,
    );
  }
}
