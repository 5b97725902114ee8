import type { Region } from "@devid/sdk";
import type { ApiKeyCreate, ApiKeyUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import { newToken } from "../../identity";
import type { API_KEYS, ApiKeyRow } from "../database/schema";
import { RecordTable } from "./record-table";

/**
 * Requests per second of a key without a rate of its own (docs/assumptions.md,
 * A19).
 */
export const DEFAULT_RATE_LIMIT = 5;

/** The rate that was given to a key; undefined for a key with the default rate. */
export function ownRateOf(key: ApiKeyRow): number | undefined {
  return key.has_own_rate === 1 ? key.rate_limit : undefined;
}

/** The API keys of all workspaces (docs/contract.md, "API key record"). */
export class ApiKeys extends RecordTable<typeof API_KEYS.columns> {
  withToken(token: string): ApiKeyRow | undefined {
    return this.db.get("SELECT * FROM api_keys WHERE token = ?", token);
  }

  create(
    workspace: Region,
    key: z.output<typeof ApiKeyCreate>,
    environment: string | null,
  ): ApiKeyRow {
    return this.add(workspace, {
      ...key,
      environment,
      status: "enabled",
      rate_limit: DEFAULT_RATE_LIMIT,
      token: newToken(key.type),
    });
  }

  /**
   * Changes the given properties. Disabling a key sets `disabled_at`; enabling a key
   * clears it.
   */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof ApiKeyUpdate>,
  ): ApiKeyRow | undefined {
    return this.change(workspace, id, (old) => ({
      ...change,
      has_own_rate: change.rate_limit === undefined ? undefined : true,
      disabled_at:
        (change.status ?? old.status) === "enabled"
          ? null
          : (old.disabled_at ?? this.clock.now()),
    }));
  }
}
