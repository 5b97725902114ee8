import type { DatabaseSync } from "@photostructure/sqlite";
import { StartError } from "../start-error";
import { MIGRATIONS } from "./migrations";

/** Marks the file as ours ("devi" in ASCII). */
const APPLICATION_ID = 0x64657669;

type Sqlite = InstanceType<typeof DatabaseSync>;

/** Throws StartError, before anything is written, when the file is no data file that this version knows. */
export function refuseForeign(sqlite: Sqlite, path: string): void {
  const { tables } = sqlite
    .prepare("SELECT count(*) AS tables FROM sqlite_schema")
    .get() as { tables: number };
  if (tables > 0 && pragma(sqlite, "application_id") !== APPLICATION_ID)
    throw new StartError(
      `Data file ${path} is a database of another program. Choose another file.`,
    );
  const version = pragma(sqlite, "user_version");
  if (version > MIGRATIONS.length)
    throw new StartError(
      `Data file ${path} was written by a newer version of devid (schema ${version}; this one knows ${MIGRATIONS.length}). Upgrade devid, or choose another file.`,
    );
}

/** Brings a database to the newest schema, each step in a transaction of its own. */
export function migrate(sqlite: Sqlite): void {
  const version = pragma(sqlite, "user_version");
  MIGRATIONS.slice(version).forEach((migration, index) => {
    sqlite.exec(
      `BEGIN IMMEDIATE;
       PRAGMA application_id = ${APPLICATION_ID};
       ${migration}
       PRAGMA user_version = ${version + index + 1};
       COMMIT;`,
    );
  });
}

function pragma(sqlite: Sqlite, name: string): number {
  const row = sqlite.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  return Number(row[name]);
}
