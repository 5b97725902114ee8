import { REGIONS, type Region } from "@devid/sdk/regions";
import type { ServiceKeys } from "../keys";
import type { Store } from "../store/store";

/** Who a bearer token belongs to. `name` may be shown, unlike the token. */
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
    }
  | { readonly kind: "control"; readonly name: string }
  | { readonly kind: "unknown"; readonly name: string };

/** Finds the owner of the token in an `Authorization` header; undefined without one. */
export function callerOf(
  authorization: string | undefined,
  keys: ServiceKeys,
  store: Store,
): Caller | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (token === undefined) return undefined;
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
    };
  return { kind: "unknown", name: "unknown" };
}
