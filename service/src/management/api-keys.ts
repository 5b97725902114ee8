import {
  ApiKeyCreate,
  ApiKeyFilter,
  ApiKeyRecord,
  ApiKeyUpdate,
} from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { notFound } from "../http/answer-error";
import { operation, type Operation } from "../http/operation";
import { recordOf } from "../store/database/record-columns";
import type { ApiKeyRow } from "../store/database/schema";
import { checkLimit } from "./account-limits";
import { environmentViolations } from "./environments";
import { listOperation } from "./list-operation";

const One = z.object({ data: ApiKeyRecord });

/** `/api-keys`: docs/contract.md, "GET /api-keys" to "DELETE /api-keys/{id}". */
export function apiKeyOperations(context: Context): Operation[] {
  const { apiKeys, environments } = context.store;
  return [
    listOperation(context, apiKeys, {
      name: "listApiKeys",
      path: "/api-keys",
      summary: "List API keys",
      isDeprecated: true,
      filter: ApiKeyFilter,
      record: ApiKeyRecord,
      show: hideToken,
      hasCamelCaseCursors: true,
    }),
    operation({
      name: "getApiKey",
      method: "GET",
      path: "/api-keys/:id",
      summary: "Get an API key",
      description:
        "The answer leaves out the token of a secret or proxy key, which only its creation shows.",
      answer: One,
      run: ({ workspace, id }) => {
        const found = apiKeys.get(workspace, id);
        if (!found) throw notFound("API key", id);
        return { data: hideToken(found) };
      },
    }),
    operation({
      name: "createApiKey",
      method: "POST",
      path: "/api-keys",
      summary: "Create an API key",
      description: "No other answer shows the token of a secret or proxy key.",
      body: ApiKeyCreate,
      status: 201,
      answer: One,
      check: (call) => environmentViolations(context, call),
      run: ({ workspace, body }) => {
        checkLimit(context, "API keys", apiKeys.count(workspace) + 1);
        const fallback =
          body.type === "public" ? environments.default(workspace)?.id : null;
        const environment = body.environment ?? fallback ?? null;
        const made = apiKeys.create(workspace, body, environment);
        return { data: recordOf(ApiKeyRecord, made) };
      },
    }),
    operation({
      name: "updateApiKey",
      method: "PATCH",
      path: "/api-keys/:id",
      summary: "Change an API key",
      body: ApiKeyUpdate,
      answer: One,
      run: ({ workspace, id, body }) => {
        const changed = apiKeys.update(workspace, id, body);
        if (!changed) throw notFound("API key", id);
        return { data: hideToken(changed) };
      },
    }),
    operation({
      name: "deleteApiKey",
      method: "DELETE",
      path: "/api-keys/:id",
      summary: "Delete an API key for good",
      status: 204,
      answer: z.undefined(),
      run: ({ workspace, id }) => {
        if (!apiKeys.remove(workspace, id)) throw notFound("API key", id);
      },
    }),
  ];
}

/**
 * The record without the token of a secret or proxy key, which only its
 * creation shows. The token of a public key may always be read.
 */
function hideToken({
  token,
  ...row
}: ApiKeyRow): z.output<typeof ApiKeyRecord> {
  const shown = row.type === "public" ? { ...row, token } : row;
  return recordOf(ApiKeyRecord, shown);
}
