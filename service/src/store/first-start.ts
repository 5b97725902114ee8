import { type Region, REGIONS } from "@devid/sdk/wire";
import type { ServiceKeys } from "../keys";
import { StartError } from "../service-errors";
import type { Db } from "./db";
import type { ApiKeys, Environments } from "./records";
import type { ApiKeyRow } from "./schema";

const DEFAULT_ENVIRONMENT = "Default";

const BUILT_IN_KEY = "Local development";

interface RecordsToPrepare {
  readonly environments: Environments;
  readonly apiKeys: ApiKeys;
}

/**
 * Gives every new workspace its default environment, and its secret and public key as
 * real API keys. In an existing workspace, these keys get the tokens of the current
 * keys file. `ids` keeps the IDs of default environments after a reset. Throws
 * StartError.
 */
export function prepareWorkspaces(
  db: Db,
  { environments, apiKeys }: RecordsToPrepare,
  keys: ServiceKeys,
  ids: Partial<Record<Region, string>> = {},
): void {
  // Tokens are unique, and the new keys file may have swapped two of them.
  db.run("UPDATE api_keys SET token = id WHERE is_built_in = 1");
  for (const workspace of REGIONS) {
    const { environment, secretKey, publicKey } = keys.workspaces[workspace];
    const found = environments.default(workspace);
    if (found && environment !== undefined && environment !== found.id)
      throw new StartError(
        `The keys name ${environment} as the default environment of ${workspace}, but the data file has ${found.id}. Leave it out of the keys, or choose another data file.`,
      );
    const { id } =
      found ??
      environments.create(
        workspace,
        { name: DEFAULT_ENVIRONMENT },
        environment ?? ids[workspace] ?? environments.newId(),
      );
    for (const own of [
      { type: "secret", token: secretKey },
      { type: "public", token: publicKey, environment: id },
    ] as const) {
      const { type, token } = own;
      const key = { is_built_in: true, type };
      if (found)
        db.update<ApiKeyRow>("api_keys", { workspace, ...key }, { token });
      else apiKeys.create(workspace, { ...own, ...key, name: BUILT_IN_KEY });
    }
  }
}

/**
 * Removes every record and returns the IDs of the default environments. Call it inside
 * a transaction.
 */
export function eraseAll(db: Db): Partial<Record<Region, string>> {
  const rows = db.all<{ workspace: Region; id: string }>(
    "SELECT workspace, id FROM environments WHERE is_default = 1",
  );
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'settings'",
  );
  // Rows refer to rows of other tables. The references are checked at the commit, when
  // all tables are empty, so the order of the tables does not matter.
  db.run("PRAGMA defer_foreign_keys = ON");
  for (const { name } of tables) db.run(`DELETE FROM ${name}`);
  return Object.fromEntries(rows.map(({ workspace, id }) => [workspace, id]));
}
