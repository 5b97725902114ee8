import { type Region, REGIONS } from "@devid/sdk";
import type { Clock } from "../clock";
import { newId } from "../identity";
import type { ServiceKeys } from "../keys";
import { StartError } from "../service-errors";
import type { Database } from "./database/database";
import { API_KEYS, ENVIRONMENTS } from "./database/schema";
import { DEFAULT_RATE_LIMIT } from "./records/api-keys";
import type { Environments } from "./records/environments";

const DEFAULT_ENVIRONMENT = "Default";

const BUILT_IN_KEY = "Local development";

/**
 * Gives every new workspace its default environment, and its secret and public key as
 * real API keys. In an existing workspace, these keys get the tokens of the current
 * keys file. `ids` keeps the IDs of default environments after a reset. Throws
 * StartError.
 */
export function prepareWorkspaces(
  db: Database,
  environments: Environments,
  clock: Clock,
  keys: ServiceKeys,
  ids: Partial<Record<Region, string>> = {},
): void {
  // Tokens are unique, and the new keys file may have swapped two of them.
  db.run("UPDATE api_keys SET token = id WHERE is_built_in = 1");
  for (const workspace of REGIONS) {
    const { environment, secretKey, publicKey } = keys.workspaces[workspace];
    const found = environments.default(workspace);
    if (found) {
      if (environment !== undefined && environment !== found.id)
        throw new StartError(
          `The keys name ${environment} as the default environment of ${workspace}, but the data file has ${found.id}. Leave it out of the keys, or choose another data file.`,
        );
      setBuiltInToken(db, workspace, "secret", secretKey);
      setBuiltInToken(db, workspace, "public", publicKey);
      continue;
    }
    const { id } = environments.insert(
      workspace,
      environment ?? ids[workspace] ?? newId(ENVIRONMENTS),
      true,
      { name: DEFAULT_ENVIRONMENT },
    );
    addBuiltInKey(db, clock, workspace, "secret", secretKey, null);
    addBuiltInKey(db, clock, workspace, "public", publicKey, id);
  }
}

/**
 * Removes every record and returns the IDs of the default environments. Call it inside
 * a transaction.
 */
export function eraseAll(db: Database): Partial<Record<Region, string>> {
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

function setBuiltInToken(
  db: Database,
  workspace: Region,
  type: "secret" | "public",
  token: string,
): void {
  db.run(
    "UPDATE api_keys SET token = ? WHERE workspace = ? AND type = ? AND is_built_in = 1",
    token,
    workspace,
    type,
  );
}

function addBuiltInKey(
  db: Database,
  clock: Clock,
  workspace: Region,
  type: "secret" | "public",
  token: string,
  environment: string | null,
): void {
  db.insert(API_KEYS, {
    id: newId(API_KEYS),
    workspace,
    environment,
    type,
    name: BUILT_IN_KEY,
    status: "enabled",
    rate_limit: DEFAULT_RATE_LIMIT,
    token,
    is_built_in: true,
    created_at: clock.now(),
  });
}
