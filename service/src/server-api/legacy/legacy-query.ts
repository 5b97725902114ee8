import type { FastifyRequest } from "fastify";

const MEANING = "The secret API key, where the header Auth-API-Key is missing.";

/**
 * Query parameters that may carry the key; the first one present counts
 * (docs/assumptions.md, A63).
 */
export const KEY_PARAMETERS = { apiKey: MEANING, api_key: MEANING };

/**
 * The key of a call of version 3, from the header or else from the query
 * (docs/contract.md, "Legacy authentication").
 */
export function legacyToken({
  headers,
  query,
}: FastifyRequest): string | undefined {
  const given = query as Record<string, unknown>;
  const inQuery = Object.keys(KEY_PARAMETERS).map((name) => given[name]);
  return [headers["auth-api-key"], ...inQuery].find(
    (token): token is string => typeof token === "string" && token !== "",
  );
}
