import { type Region, REGIONS } from "@devid/sdk/wire";
import type { FastifyRequest } from "fastify";
import type { ServiceKeys } from "../keys";
import type { ApiKeyRow } from "../store/schema";
import type { Store } from "../store/store";
import { AnswerError } from "./answer-error";
import { regionOf } from "./request-path";

/** The owner of a key. `name` may be shown, unlike the key itself. */
export type Caller =
  | {
      readonly kind: "management";
      readonly workspace: Region;
      readonly name: string;
    }
  | {
      readonly kind: "api-key";
      readonly workspace: Region;
      readonly name: string;
      readonly key: ApiKeyRow;
    }
  | { readonly kind: "control" | "unknown"; readonly name: string };

/** The token of `Authorization: Bearer`; undefined without one. */
export function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
}

/** Finds the owner of a key. */
export function callerOf(
  token: string,
  keys: ServiceKeys,
  store: Store,
): Caller {
  if (token === keys.controlKey) return { kind: "control", name: "control" };
  const workspace = REGIONS.find(
    (region) => keys.workspaces[region].managementKey === token,
  );
  if (workspace)
    return { kind: "management", workspace, name: `${workspace} management` };
  const key = store.apiKeys.withToken(token);
  if (key)
    return {
      kind: "api-key",
      workspace: key.workspace,
      name: `${key.workspace} ${key.type} ${key.id}`,
      key,
    };
  return { kind: "unknown", name: "unknown" };
}

/**
 * The secret API key of a caller; undefined for another kind of key and for a
 * disabled one (docs/assumptions.md, A58).
 */
export function secretKeyOf(caller: Caller | undefined): ApiKeyRow | undefined {
  if (caller?.kind !== "api-key") return undefined;
  const { type, status } = caller.key;
  return type === "secret" && status === "enabled" ? caller.key : undefined;
}

/**
 * The secret API key of a request; it has to belong to the region in the path
 * (docs/contract.md, "Events authentication"). `header` says in a message how a
 * key is sent. Throws AnswerError.
 */
export function secretKeyFor(
  request: FastifyRequest,
  header: string,
): ApiKeyRow {
  const { caller } = request;
  if (caller === undefined)
    throw new AnswerError(
      "secret_api_key_required",
      `Send the header ${header}.`,
    );
  const key = secretKeyOf(caller);
  if (!key)
    throw new AnswerError(
      "secret_api_key_not_found",
      "This is not an enabled secret API key.",
    );
  return inRegion(key, regionOf(request));
}

/** The key, if it belongs to a region. Throws AnswerError. */
export function inRegion(
  key: ApiKeyRow,
  region: Region | undefined,
): ApiKeyRow {
  if (key.workspace === region) return key;
  throw new AnswerError(
    "wrong_region",
    `wrong region: the key belongs to the workspace in region ${key.workspace}`,
  );
}
