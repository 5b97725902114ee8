import { existsSync, lstatSync, realpathSync } from "node:fs";
import { fileProblem } from "@devid/sdk/errors";
import { DatabaseSync } from "@photostructure/sqlite";
import { keptByText } from "../kept-by-text";
import { StartError } from "../service-errors";
import {
  createSchema,
  damaged,
  inspectDataFile,
  makePrivate,
  refuseUnusable,
} from "./data-file";
import { type SqlValue, stored } from "./sql-value";

/**
 * How many prepared statements are kept. Searches differ in their SQL, so there
 * is no end to them.
 */
const MAX_STATEMENTS = 500;

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/**
 * ERROR, CORRUPT, CONSTRAINT and MISMATCH. The check of the file finds neither a changed
 * name of a column nor records that contradict each other.
 */
const SIGNS_OF_DAMAGE = [1, 11, 19, 20];
/** The shared memory beside a file in WAL mode cannot grow. */
const SQLITE_IOERR_SHMSIZE = SQLITE_IOERR | (19 << 8);

/**
 * The embedded SQLite database of the service. Values reach SQL as bound
 * parameters only. The file holds keys as plain text: it is meant for local
 * development, and only its owner may read it (mode 0600).
 */
export class Db {
  private readonly prepare = keptByText((sql) => {
    const statement = this.sqlite.prepare(sql);
    // The library's arrays, made into objects by `rowOf`, take half the time of its
    // objects, whose members are also slow to read.
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    return { statement, columns };
  }, MAX_STATEMENTS);

  private constructor(
    private readonly sqlite: InstanceType<typeof DatabaseSync>,
  ) {}

  /**
   * Opens a data file, which is created if it is missing, or `:memory:`. Throws
   * StartError.
   */
  static open(given: string): Db {
    // SQLite would take a name that begins with `file:` for a URL.
    let path = given.replace(/^file:/, "./file:");
    try {
      // SQLite keeps its log beside the file that a link leads to.
      if (existsSync(path) && lstatSync(path).isSymbolicLink())
        path = realpathSync(path);
      const isFile = path !== ":memory:";
      const isInspected = !isFile || inspectDataFile(path);
      if (isFile) makePrivate(path);
      const sqlite = new DatabaseSync(path);
      try {
        // The check comes before the lock, so that the file of another program is not
        // locked.
        if (!isInspected) refuseUnusable(sqlite, path);
      } catch (error) {
        sqlite.close();
        throw error;
      }
      try {
        // In memory, larger pages hold 100,000 events in 80 MB less. In a file, they would
        // make each write larger.
        if (!isFile) sqlite.exec("PRAGMA page_size = 16384");
        // The lock is held until the file is closed: a second process is
        // refused, and a killed one leaves no lock behind.
        sqlite.exec("PRAGMA locking_mode = EXCLUSIVE");
        sqlite.exec("PRAGMA journal_mode = WAL");
        // In WAL mode, NORMAL loses nothing when the process is killed. A power
        // failure can lose the last transactions, but never a part of one.
        sqlite.exec("PRAGMA synchronous = NORMAL");
        // 8 MB hold the pages that batches of events keep touching.
        sqlite.exec("PRAGMA cache_size = -8000");
        sqlite.exec("PRAGMA wal_autocheckpoint = 4000");
        // What is deleted is overwritten, so that no visitor is left in the file.
        sqlite.exec("PRAGMA secure_delete = ON");
        sqlite.exec("PRAGMA foreign_keys = ON");
        createSchema(sqlite);
      } catch (error) {
        release(sqlite);
        throw error;
      }
      return new Db(sqlite);
    } catch (error) {
      throw startErrorOf(path, error);
    }
  }

  /** All rows of a query. `Row` names the columns of our own schema. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    const { statement, columns } = this.prepare(sql);
    const rows = statement.all(...values) as unknown as SqlValue[][];
    return rows.map((row) => rowOf<Row>(columns, row));
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0];
  }

  /** The first column of the first row; undefined if there is no row. */
  value<T>(sql: string, ...values: SqlValue[]): T | undefined {
    const { statement } = this.prepare(sql);
    const row = statement.get(...values) as unknown as T[] | undefined;
    return row?.[0];
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.prepare(sql).statement.run(...values).changes;
  }

  /**
   * Runs `work` in a transaction. If `work` throws, the transaction is rolled back.
   * Inside another transaction, `work` becomes a part of that transaction.
   */
  tx<T>(work: () => T): T {
    if (this.sqlite.isTransaction) return work();
    this.run("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (this.sqlite.isTransaction) this.run("ROLLBACK");
      throw error;
    }
  }

  /** Adds a row. A column without a value is null or has its default. */
  insert<Row extends object>(table: string, row: Partial<Row>): void {
    const [sql, values] = insertion(table, row);
    this.run(sql, ...values);
  }

  /** Adds a row, and returns it with the values that SQLite made. */
  add<Row extends object>(table: string, row: Partial<Row>): Row {
    const [sql, values] = insertion(table, row);
    // RETURNING returns the row that was just written.
    return this.get(`${sql} RETURNING *`, ...values) as Row;
  }

  /** The rows whose columns have these values; `rest` follows, such as an order and a limit. */
  find<Row>(
    table: string,
    equal: object,
    rest = "",
    ...more: SqlValue[]
  ): Row[] {
    const [where, values] = conditionOf(equal);
    const sql = `SELECT * FROM ${table} WHERE ${where} ${rest}`;
    return this.all(sql, ...values, ...more);
  }

  /** Changes at least one column of the rows whose columns have these values. */
  update<Row extends object>(
    table: string,
    equal: object,
    change: Partial<Row>,
  ): void {
    const [where, found] = conditionOf(equal);
    const [columns, values] = valuesOf(change);
    const set = columns.map((column) => `${column} = ?`).join();
    const sql = `UPDATE ${table} SET ${set} WHERE ${where}`;
    this.run(sql, ...values, ...found);
  }

  /** Deletes the rows whose columns have these values, and returns how many there were. */
  delete(table: string, equal: object): number {
    const [where, values] = conditionOf(equal);
    return this.run(`DELETE FROM ${table} WHERE ${where}`, ...values);
  }

  /**
   * Calls `listener` with the value of a column of each row of a table that is added,
   * changed or deleted, by a cascade, too. For a change, the old and the new value.
   */
  onWrite(table: string, column: string, listener: (value: string) => void) {
    const call = `heard_${table}`;
    this.sqlite.function(call, (value: unknown) => {
      listener(String(value));
      return null;
    });
    for (const [event, ...rows] of [
      ["INSERT", "NEW"],
      ["UPDATE", "OLD", "NEW"],
      ["DELETE", "OLD"],
    ])
      this.sqlite.exec(
        `CREATE TEMP TRIGGER ${call}_${event} AFTER ${event} ON main.${table} BEGIN
           ${rows.map((row) => `SELECT ${call}(${row}.${column});`).join(" ")}
         END`,
      );
  }

  /** Empties the log, which still holds what was deleted since the last checkpoint. */
  checkpoint(): void {
    this.value("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** A number that grows with every change of the database. */
  changes(): number {
    return this.value("SELECT total_changes()") ?? 0;
  }

  close(): void {
    release(this.sqlite);
  }
}

function rowOf<Row>(columns: readonly string[], values: SqlValue[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) row[column] = values[index];
  return row as Row;
}

/** The columns that are given, and their values. */
export function valuesOf(row: object): [string[], SqlValue[]] {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  return [given.map(([name]) => name), given.map(([, value]) => stored(value))];
}

function insertion(table: string, row: object): [string, SqlValue[]] {
  const [columns, values] = valuesOf(row);
  const marks = columns.map(() => "?").join();
  const sql = `INSERT INTO ${table} (${columns.join()}) VALUES (${marks})`;
  return [sql, values];
}

/** A condition on the columns that are given, and its values. */
export function conditionOf(equal: object): [string, SqlValue[]] {
  const [columns, values] = valuesOf(equal);
  return [columns.map((column) => `${column} = ?`).join(" AND "), values];
}

/**
 * Closes the file and releases its lock. Prepared statements live until they
 * are collected and would keep the lock, which SQLite releases outside of WAL
 * mode only.
 */
function release(sqlite: InstanceType<typeof DatabaseSync>): void {
  try {
    sqlite.exec("PRAGMA journal_mode = DELETE");
    sqlite.exec("PRAGMA locking_mode = NORMAL");
    sqlite.exec("SELECT count(*) FROM sqlite_schema");
  } catch {
    // Another process holds the file, the disk is full, or it is no database.
  } finally {
    sqlite.close();
  }
}

/**
 * Whether an error of the database says that the data file cannot grow, because
 * its disk is full.
 */
export function isDiskFull(error: unknown): boolean {
  const { errcode } = error as SqliteError;
  return errcode === SQLITE_IOERR_SHMSIZE || plainCodeOf(error) === SQLITE_FULL;
}

type SqliteError = { readonly errcode?: number };

/** An extended error code of SQLite has the plain one in its lowest byte. */
function plainCodeOf(error: unknown): number | undefined {
  const { errcode } = error as SqliteError;
  return errcode === undefined ? undefined : errcode & 0xff;
}

/** The error for a data file that cannot be opened, or not be prepared. */
export function startErrorOf(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(explain(path, error), { cause: error });
}

function explain(path: string, error: unknown): string {
  const { message = String(error) } = error as Partial<Error>;
  const plain = plainCodeOf(error);
  if (plain !== undefined && SIGNS_OF_DAMAGE.includes(plain))
    return damaged(path, message).message;
  if (isDiskFull(error))
    return `Data file ${path} cannot grow, because its disk is full. Free some space, or choose a file on another disk.`;
  if (plain === SQLITE_READONLY || plain === SQLITE_CANTOPEN)
    return `Data file ${path} cannot be opened, because its folder or SQLite's files beside it (${path}-wal, ${path}-journal) may not be read and written. Change their permissions, or choose a file in another folder.`;
  if (plain === SQLITE_BUSY)
    return `Data file ${path} is in use by another process. Stop that service, or choose another file.`;
  if (plain === SQLITE_NOTADB)
    return `Data file ${path} is not a database. Choose another file, or move this one away.`;
  if (plain === SQLITE_IOERR)
    return `Data file ${path} cannot be read or written (${message}). Look at its disk and its limits (df, quota, ulimit -f), or choose another file.`;
  const problem = plain === undefined ? fileProblem(error, "written") : message;
  return `Data file ${path} cannot be opened: ${problem}.`;
}
