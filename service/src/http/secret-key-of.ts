import type { ApiKeyRow } from "../store/api-keys";
import type { Caller } from "./caller";

/** The secret API key that a caller showed; undefined where it is no such key, or a disabled one (docs/assumptions.md, A58). */
export function secretKeyOf(caller: Caller | undefined): ApiKeyRow | undefined {
  if (caller?.kind !== "api-key") return undefined;
  const { type, status } = caller.key;
  return type === "secret" && status === "enabled" ? caller.key : undefined;
}
