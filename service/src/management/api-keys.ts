import { API_KEY, ApiKeyRecord } from "@devid/sdk/wire";
import type { z } from "zod";
import type { Context } from "../context";
import type { Operation } from "../http/operation";
import { recordOf } from "../store/records";
import type { ApiKeyRow } from "../store/schema";
import { checkLimit } from "./account-limits";
import { environmentViolations } from "./environments";
import { listOperation } from "./list-operation";
import { serve } from "./serve-operation";

/** `/api-keys`: docs/contract.md, "GET /api-keys" to "DELETE /api-keys/{id}". */
export function apiKeyOperations(context: Context): Operation[] {
  const { apiKeys, environments } = context.store;
  return [
    listOperation(context, apiKeys, API_KEY.list, hideToken),
    serve(API_KEY.get, ({ workspace, id }) =>
      hideToken(apiKeys.get(workspace, id)),
    ),
    serve(
      API_KEY.create,
      ({ workspace, body }) => {
        checkLimit(context, "API keys", apiKeys.count(workspace) + 1);
        const fallback =
          body.type === "public" ? environments.default(workspace)?.id : null;
        const environment = body.environment ?? fallback ?? null;
        const made = apiKeys.create(workspace, body, environment);
        return recordOf(ApiKeyRecord, made);
      },
      { check: (call) => environmentViolations(context, call) },
    ),
    serve(API_KEY.update, ({ workspace, id, body }) =>
      hideToken(apiKeys.update(workspace, id, body)),
    ),
    serve(API_KEY.delete, ({ workspace, id }) => apiKeys.remove(workspace, id)),
  ];
}

/**
 * The record without the token of a secret or proxy key, which only its
 * creation shows. The token of a public key may always be read.
 */
function hideToken(row: ApiKeyRow): z.output<typeof ApiKeyRecord>;
function hideToken(
  row: ApiKeyRow | undefined,
): z.output<typeof ApiKeyRecord> | undefined;
function hideToken(row: ApiKeyRow | undefined) {
  if (!row) return undefined;
  const { token, ...rest } = row;
  const shown = row.type === "public" ? { ...rest, token } : rest;
  return recordOf(ApiKeyRecord, shown);
}
