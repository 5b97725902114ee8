import { DatabaseSync } from "@photostructure/sqlite";
import { StartError } from "../../service-errors";
import {
  damaged,
  inspectDataFile,
  makePrivate,
  refuseUnusable,
} from "./data-file";
import { createSchema } from "./data-schema";
import {
  type Change,
  type Columns,
  type NewRow,
  type RowOf,
  type SqlValue,
  stored,
  type Table,
} from "./table";

/** Work that waits for the next transaction. */
interface BatchedWork {
  /**
   * Does the work, and returns the function that resolves its promise once the work is
   * stored.
   */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

type Statement = ReturnType<InstanceType<typeof DatabaseSync>["prepare"]>;

/**
 * How many prepared statements are kept. Searches differ in their SQL, so there
 * is no end to them.
 */
const MAX_STATEMENTS = 500;

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/**
 * The embedded SQLite database of the service. Values reach SQL as bound
 * parameters only. The file holds keys as plain text: it is meant for local
 * development, and only its owner may read it (mode 0600).
 */
export class Database {
  private readonly statements = new Map<string, Statement>();
  private readonly remembered = new Map<string, unknown>();
  private rememberedAt = 0;
  private readonly batch: BatchedWork[] = [];

  private constructor(
    private readonly sqlite: InstanceType<typeof DatabaseSync>,
  ) {}

  /**
   * Opens a data file, which is created if it is missing, or `:memory:`. Throws
   * StartError.
   */
  static open(path: string): Database {
    try {
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
        // The lock is held until the file is closed: a second process is
        // refused, and a killed one leaves no lock behind.
        sqlite.exec("PRAGMA locking_mode = EXCLUSIVE");
        sqlite.exec("PRAGMA journal_mode = WAL");
        // In WAL mode, NORMAL loses nothing when the process is killed. A power
        // failure can lose the last transactions, but never a part of one.
        sqlite.exec("PRAGMA synchronous = NORMAL");
        // 32 MB hold the pages that batches of events keep touching.
        sqlite.exec("PRAGMA cache_size = -32000");
        sqlite.exec("PRAGMA wal_autocheckpoint = 4000");
        sqlite.exec("PRAGMA foreign_keys = ON");
        createSchema(sqlite);
      } catch (error) {
        release(sqlite);
        throw error;
      }
      return new Database(sqlite);
    } catch (error) {
      if (error instanceof StartError) throw error;
      throw new StartError(explain(path, error), { cause: error });
    }
  }

  /** All rows of a query. `Row` names the columns of our own schema. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  /** The first column of the first row; undefined if there is no row. */
  value<T>(sql: string, ...values: SqlValue[]): T | undefined {
    const row = this.get<Record<string, T>>(sql, ...values);
    return row && Object.values(row)[0];
  }

  /**
   * The result of `read`, kept under `key` until any row of the database changes. Call it
   * outside of transactions, which may be undone. Do not change the result.
   */
  remember<T>(key: string, read: () => T): T {
    const changes = this.changes();
    if (changes !== this.rememberedAt) this.remembered.clear();
    this.rememberedAt = changes;
    const value = this.remembered.has(key) ? this.remembered.get(key) : read();
    this.remembered.set(key, value);
    // A value has the type of the `read` that was called with the same key.
    return value as T;
  }

  /** A number that grows with every change of the database. */
  changes(): number {
    return this.value("SELECT total_changes()") ?? 0;
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.prepare(sql).run(...values).changes;
  }

  /**
   * Adds a row and returns the row with the values that SQLite made. `how` says whether
   * the new row replaces a row with the same primary key.
   */
  insert<C extends Columns>(
    { name }: Table<C>,
    row: NewRow<C>,
    how: "INSERT" | "INSERT OR REPLACE" = "INSERT",
  ): RowOf<Table<C>> {
    const [columns, values] = valuesOf(row);
    const marks = columns.map(() => "?").join();
    const sql = `${how} INTO ${name} (${columns.join()}) VALUES (${marks}) RETURNING *`;
    // RETURNING returns the row that was just written.
    return this.get(sql, ...values) as RowOf<Table<C>>;
  }

  /** Changes at least one column of the row with this number, and returns the row. */
  update<C extends Columns>(
    { name }: Table<C>,
    seq: number,
    change: Change<C>,
  ): RowOf<Table<C>> | undefined {
    const [columns, values] = valuesOf(change);
    const set = columns.map((column) => `${column} = ?`).join();
    const sql = `UPDATE ${name} SET ${set} WHERE seq = ? RETURNING *`;
    return this.get(sql, ...values, seq);
  }

  /**
   * Runs `work` in a transaction. If `work` throws, the transaction is rolled back.
   * Inside another transaction, `work` becomes a part of that transaction.
   */
  transaction<T>(work: () => T): T {
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

  /**
   * Runs `work` soon, in one transaction with all other batched work. Resolves with the
   * result of `work` when the transaction is stored. A commit costs as much as the
   * changes of one visit, so many visits share it. Work that throws is undone alone.
   * When the commit fails, all work of the transaction fails.
   */
  batched<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.batch.length === 0) setImmediate(() => this.runBatch());
      this.batch.push({
        run: () => {
          const result = work();
          return () => resolve(result);
        },
        reject,
      });
    });
  }

  private runBatch(): void {
    const batch = this.batch.splice(0);
    if (batch.length === 0) return;
    try {
      const ends = this.transaction(() =>
        batch.map((one) => this.runAlone(one)),
      );
      for (const end of ends) end();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Runs one work of a batch, and returns the function that resolves its promise. */
  private runAlone({ run, reject }: BatchedWork): () => void {
    this.run("SAVEPOINT one");
    try {
      return run();
    } catch (error) {
      // A full disk may have ended the transaction, and so the whole batch.
      if (!this.sqlite.isTransaction) throw error;
      this.run("ROLLBACK TO one");
      return () => reject(error);
    } finally {
      if (this.sqlite.isTransaction) this.run("RELEASE one");
    }
  }

  close(): void {
    this.runBatch();
    this.statements.clear();
    release(this.sqlite);
  }

  private prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.sqlite.prepare(sql);
      const [oldest] = this.statements.keys();
      if (oldest !== undefined && this.statements.size >= MAX_STATEMENTS)
        this.statements.delete(oldest);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}

/** The columns that are given, and their values. */
function valuesOf(
  row: Readonly<Record<string, unknown>>,
): [string[], SqlValue[]] {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  return [given.map(([name]) => name), given.map(([, value]) => stored(value))];
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
  return plainCodeOf(error) === SQLITE_FULL;
}

/** An extended error code of SQLite has the plain one in its lowest byte. */
function plainCodeOf(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

function explain(path: string, error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  const plain = plainCodeOf(error);
  if (plain === SQLITE_CORRUPT) return damaged(path, message ?? "").message;
  if (plain === SQLITE_FULL)
    return `Data file ${path} cannot grow, because its disk is full. Free some space, or choose a file on another disk.`;
  if (plain === SQLITE_BUSY)
    return `Data file ${path} is in use by another process. Stop that service, or choose another file.`;
  if (plain === SQLITE_NOTADB)
    return `Data file ${path} is not a database. Choose another file, or move this one away.`;
  return `Data file ${path} cannot be opened: ${message ?? code ?? String(error)}.`;
}
