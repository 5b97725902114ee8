import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  rmSync,
  statSync,
} from "node:fs";
import { pathToFileURL } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { refuseOtherThanFile, StartError } from "../service-errors";
import { SCHEMA, VERSION } from "./schema";

type Sqlite = InstanceType<typeof DatabaseSync>;

/**
 * Refuses a file that the service cannot use, before anything is written. Refused are:
 * something that is no plain file or no database, a database of another program or of
 * another version, and a damaged database. A refused file keeps its content and its mode.
 * Returns false if only a writing connection can inspect the file: a killed process has
 * left a journal that must be undone first. Throws StartError, or SQLite's error.
 */
export function inspectDataFile(path: string): boolean {
  refuseOtherThanFile("Data file", path);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return true;
  if (existsSync(`${path}-journal`)) return false;
  const hadIndex = existsSync(`${path}-shm`);
  const sqlite = openToRead(path);
  try {
    refuseUnusable(sqlite, path);
  } finally {
    sqlite.close();
    if (!hadIndex) rmSync(`${path}-shm`, { force: true });
  }
  return true;
}

/** The mark of our data files ("devi" in ASCII). */
const APPLICATION_ID = 0x64657669;

/** Refuses a database of another program or of another version, and a damaged one. Throws StartError. */
export function refuseUnusable(sqlite: Sqlite, path: string): void {
  if (!isEmpty(sqlite)) {
    if (pragma(sqlite, "application_id") !== APPLICATION_ID)
      throw new StartError(
        `Data file ${path} is a database of another program. Choose another file.`,
      );
    if (pragma(sqlite, "user_version") !== VERSION)
      throw new StartError(
        `Data file ${path} was written by another version of devid and was left as it is. Choose another file, or delete this one to start anew.`,
      );
  }
  const found = pragma(sqlite, "quick_check");
  if (found !== "ok") throw damaged(path, String(found));
}

/** Makes the tables of a new database, in one transaction. */
export function createSchema(sqlite: Sqlite): void {
  if (!isEmpty(sqlite)) return;
  sqlite.exec(
    `BEGIN IMMEDIATE;
     PRAGMA application_id = ${APPLICATION_ID};
     ${SCHEMA}
     PRAGMA user_version = ${VERSION};
     COMMIT;`,
  );
}

const isEmpty = (sqlite: Sqlite) =>
  firstOf(sqlite, "count(*)", "sqlite_schema") === 0;

const pragma = (sqlite: Sqlite, name: string) =>
  firstOf(sqlite, name, `pragma_${name}`);

/**
 * The first value of a column. A prepared statement would live on after its connection
 * was closed, and keep the file locked until it is collected.
 */
function firstOf(sqlite: Sqlite, column: string, table: string): unknown {
  const values: unknown[] = [];
  sqlite.function("devid_take", (value: unknown) => {
    values.push(value);
    return null;
  });
  sqlite.exec(`SELECT devid_take(${column}) FROM ${table}`);
  return values[0];
}

/**
 * Opens a file only for reading. A file without a log is opened as immutable, or SQLite would
 * make a log beside a file in WAL mode.
 */
function openToRead(path: string): Sqlite {
  if (existsSync(`${path}-wal`))
    return new DatabaseSync(path, { readOnly: true });
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url.href, { readOnly: true });
}

/** The error for a data file whose content was not written by SQLite alone. */
export function damaged(path: string, reason: string): StartError {
  const [first = ""] = reason.split("\n");
  return new StartError(
    `Data file ${path} is damaged (${first}) and was left as it is. Restore a copy, or choose another file.`,
  );
}

/**
 * Creates a file that only its owner may read. For an existing file, and the files of
 * SQLite beside it, it removes the access of other users.
 */
export function makePrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    if (existsSync(file) && statSync(file).mode & 0o077) chmodSync(file, 0o600);
}
