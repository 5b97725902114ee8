import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { pathToFileURL } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { refuseOtherThanFile, StartError } from "../../service-errors";
import { askOnce, refuseForeign } from "./migrations";

type Sqlite = InstanceType<typeof DatabaseSync>;

/**
 * Up to this size the whole file is checked before it is used: SQLite looks through
 * more than 1.5 GB of it a second.
 */
const CHECKED_AT_ONCE_BYTES = 256_000_000;

/**
 * The tables that make a file large. In a large file they are left to
 * `findDamage`, which runs while the service works.
 */
const LARGE_TABLES = {
  events: "event_id",
  event_bodies: "body",
  decisions: "request",
  deliveries: "body",
} as const;

/** How many rows `findDamage` reads before other work has its turn. */
const ROWS_AT_ONCE = 500;

/**
 * Refuses a file that the service cannot use, before anything is written. Refused are:
 * something that is no plain file or no database, a database of another program or of a
 * newer version, and a damaged database. A refused file keeps its content and its mode.
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

/** Refuses a database of another program or of a newer version, and a damaged one. Throws StartError. */
export function refuseUnusable(sqlite: Sqlite, path: string): void {
  refuseForeign(sqlite, path);
  const tables = needsFindDamage(path) ? smallTables(sqlite) : [undefined];
  for (const table of tables) {
    const about = table === undefined ? "" : `('${table}')`;
    const check = `FROM pragma_quick_check${about}`;
    const [found] = askOnce(sqlite, "quick_check", check);
    if (found !== "ok") throw damaged(path, String(found));
  }
}

/**
 * Opens a file only for reading. A file in WAL mode without a log is not in use; it is
 * opened as immutable, or SQLite would make a log.
 */
function openToRead(path: string): Sqlite {
  const isAlone = isInWalMode(path) && !existsSync(`${path}-wal`);
  if (!isAlone) return new DatabaseSync(path, { readOnly: true });
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url.href, { readOnly: true });
}

/** Byte 18 of a database is 2 in WAL mode. */
function isInWalMode(path: string): boolean {
  const header = Buffer.alloc(20);
  const file = openSync(path, "r");
  try {
    return readSync(file, header, 0, 20, 0) === 20 && header[18] === 2;
  } finally {
    closeSync(file);
  }
}

function smallTables(sqlite: Sqlite): string[] {
  return askOnce(sqlite, "name", "FROM sqlite_schema WHERE type = 'table'")
    .map(String)
    .filter((name) => !Object.hasOwn(LARGE_TABLES, name));
}

/** The error for a data file whose content was not written by SQLite alone. */
export function damaged(path: string, reason: string): StartError {
  const [first = ""] = reason.split("\n");
  return new StartError(
    `Data file ${path} is damaged (${first}) and was left as it is. Restore a copy, or choose another file.`,
  );
}

/**
 * Reads every row of the large tables, some at a time. Returns SQLite's message about
 * the first unreadable row; undefined if all rows are readable. Aborting the signal
 * ends the search.
 */
export async function findDamage(
  sqlite: Sqlite,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    for (const [table, column] of Object.entries(LARGE_TABLES)) {
      const read = sqlite.prepare(
        `SELECT max(seq) AS last, max(length(text)) FROM (
           SELECT seq, ${column} AS text FROM ${table}
            WHERE seq > ? ORDER BY seq LIMIT ${ROWS_AT_ONCE})`,
      );
      for (let last: number | null = 0; last !== null;) {
        await new Promise(setImmediate);
        if (signal.aborted) return undefined;
        ({ last } = read.get(last) as { last: number | null });
      }
    }
  } catch (error) {
    return signal.aborted ? undefined : (error as Error).message;
  }
  return undefined;
}

/** Whether a file is so large that `findDamage` has to look at a part of it. */
export function needsFindDamage(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > CHECKED_AT_ONCE_BYTES;
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
