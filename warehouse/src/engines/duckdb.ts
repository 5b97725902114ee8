import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type KeptGroups, type SqlRow, quotedText } from "../sql";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { fileProblem } from "@devid/sdk/errors";
import { EventSourceError, WarehouseQueryError } from "../errors";
import {
  describedColumns,
  type DescribedColumn,
  type Engine,
  type QueryOptions,
} from "./engine";

/** The column with the number of a row. */
const NUMBER = `"devid number"`;

/** More than the rows of a file. */
const ROWS_OF_FILE = 2 ** 40;

/** The column of what is wrong with a line of NDJSON. */
const PROBLEM = "devid_problem";

/** Names of columns that have another meaning in our queries. */
const RESERVED = /^(devid .*|file_index|file_row_number)$/i;

/** Milliseconds between two looks at the progress of a query. */
const PROGRESS_MS = 200;

/** Options of a DuckDB. */
export interface DuckDbOptions {
  /** How messages name the files: `the events of exports/*.parquet`. */
  readonly title: string;
  /** Default: `DEVID_DUCKDB_MEMORY_MB`, else 50 for each thread. More data goes to a temporary folder. */
  readonly memoryMb?: number;
  /** A query that runs out of memory is asked again with twice as much, up to this. Default: eight times the first limit, if that is the default as well. */
  readonly mostMemoryMb?: number;
}

const MB_OF_THREAD = 50;
const MOST_DOUBLINGS = 3;

/**
 * A DuckDB in this process. It reads only files on this machine: it loads no extension,
 * so it cannot use the network.
 */
export class DuckDb implements Engine {
  readonly dialect = "duckdb";
  readonly table = `"events"`;
  problem: string | undefined;
  place: Engine["place"];
  #queries = 0;
  #hasNumbers = false;
  #folder: string | undefined;

  private constructor(
    readonly title: string,
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
    private memoryMb: number,
    private readonly mostMemoryMb: number,
  ) {}

  /** @throws EventSourceError where the package is not installed */
  static async open({
    title,
    memoryMb: asked = Number(process.env.DEVID_DUCKDB_MEMORY_MB) || undefined,
    mostMemoryMb,
  }: DuckDbOptions): Promise<DuckDb> {
    const { DuckDBInstance } = await load();
    const threads = availableParallelism();
    const memoryMb = asked ?? MB_OF_THREAD * Math.max(2, threads);
    const most = mostMemoryMb ?? asked ?? memoryMb * 2 ** MOST_DOUBLINGS;
    const instance = await DuckDBInstance.create(":memory:", {
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      memory_limit: `${memoryMb}MB`,
      threads: String(threads),
      // Otherwise, the process keeps up to 128 MB of what a query no longer needs.
      allocator_flush_threshold: "1MB",
      allocator_bulk_deallocation_flush_threshold: "1MB",
      preserve_insertion_order: "false",
    });
    const connection = await instance.connect();
    // In our queries, the small table of a join comes second. DuckDB does not know the
    // sizes, and might keep the large table in memory.
    await connection.run(
      "SET disabled_optimizers = 'join_order,build_side_probe_side'",
    );
    await connection.run("SET enable_progress_bar = true");
    await connection.run("SET enable_progress_bar_print = false");
    return new DuckDb(title, instance, connection, memoryMb, most);
  }

  /**
   * Makes Parquet files the table that queries name. A folder such as `day=1` is not a
   * column, unless `partitions` names it and no file has such a column.
   */
  async readParquet(
    paths: readonly string[],
    partitions: readonly string[] = [],
    placeOf = (path: string, row: number) =>
      Promise.resolve(`${path}, row ${row + 1}`),
  ): Promise<void> {
    const list = paths.map(pathSql).join(", ");
    const from = `read_parquet([${list}], union_by_name = true, hive_partitioning = false, binary_as_string = true)`;
    const columns = await this.#small(`DESCRIBE FROM ${from}`);
    const names = columns.map(([name]) => String(name));
    this.#hasNumbers = !names.some((name) => RESERVED.test(name));
    const number = `CAST(file_index AS BIGINT) * ${ROWS_OF_FILE} + file_row_number AS ${NUMBER}`;
    const folders = partitions.filter(
      (name) =>
        !names.includes(name) &&
        paths.some((path) => path.includes(`/${name}=`)),
    );
    const more = [
      ...(this.#hasNumbers ? [number] : []),
      ...folders.map(partitionSql),
    ];
    await this.run(
      `CREATE OR REPLACE TEMP VIEW ${this.table} AS SELECT ${["*", ...more].join(", ")} FROM ${from}`,
    );
    this.problem = names.includes(PROBLEM) ? PROBLEM : undefined;
    if (!this.#hasNumbers) return;
    this.place = {
      sql: `min(${NUMBER})`,
      of: (number) =>
        placeOf(
          paths[Math.floor(number / ROWS_OF_FILE)] ?? "",
          number % ROWS_OF_FILE,
        ),
    };
  }

  /** A new folder for this user alone, which is removed at the end. */
  ownFolder(): string {
    if (this.#folder === undefined) {
      const made = join(tmpdir(), "devid-events-");
      try {
        this.#folder = mkdtempSync(made);
      } catch (error) {
        throw new EventSourceError(
          `A temporary folder, ${made}, cannot be made: ${fileProblem(error, "written")}. Name another place with TMPDIR.`,
        );
      }
      process.once("exit", this.#removeFolder);
    }
    return this.#folder;
  }

  /** The files that a glob names, sorted. */
  async files(glob: string): Promise<string[]> {
    const rows = await this.#small(
      `SELECT file FROM glob(${quotedText("duckdb", glob)}) ORDER BY file`,
    );
    return rows.map(([file]) => String(file));
  }

  async describe(): Promise<DescribedColumn[]> {
    const columns = await this.#small(`DESCRIBE ${this.table}`);
    return describedColumns(columns).filter(
      ({ name }) =>
        name !== this.problem && (!this.#hasNumbers || `"${name}"` !== NUMBER),
    );
  }

  async *query(
    sql: string,
    options: QueryOptions = {},
  ): AsyncGenerator<readonly SqlRow[]> {
    // The binding ends a stream silently at an error (duckdb-node-neo, `fetchChunk`).
    // So the result is stored first, on disk if it is large, and its rows are counted.
    const result = `"result ${++this.#queries}"`;
    await this.run(`CREATE TEMP TABLE ${result} AS ${sql}`, options);
    try {
      const [[count] = []] = await this.#small(
        `SELECT count(*) FROM ${result}`,
      );
      let seen = 0;
      const stream = await this.connection.stream(`SELECT * FROM ${result}`);
      for await (const rows of stream.yieldRowsJs()) {
        options.signal?.throwIfAborted();
        seen += rows.length;
        yield rows as SqlRow[];
      }
      if (seen !== Number(count))
        throw new WarehouseQueryError(
          `Reading ${this.title}`,
          `of ${String(count)} rows only ${seen} were delivered.`,
        );
    } catch (error) {
      throw this.#failure(error, options.signal);
    } finally {
      await this.connection.run(`DROP TABLE IF EXISTS ${result}`);
    }
  }

  kept(options: QueryOptions = {}): KeptGroups | undefined {
    if (!this.#hasNumbers) return undefined;
    const name = `"kept groups"`;
    let table: string | undefined;
    return {
      number: NUMBER,
      get table() {
        return table;
      },
      fill: async (sql) => {
        try {
          // Lists do not go to the temporary folder, and a second try takes as long.
          await this.#allow(this.mostMemoryMb);
          await this.run(`CREATE TEMP TABLE ${name} AS ${sql}`, options);
          table = name;
        } catch (error) {
          const { message = "" } = error as Error;
          if (!message.includes("Out of Memory")) throw error;
        }
      },
      drop: () => this.run(`DROP TABLE IF EXISTS ${name}`),
    };
  }

  /** Runs a statement without a result. */
  async run(sql: string, options: QueryOptions = {}): Promise<void> {
    const end = this.#watch(options);
    try {
      await this.#runWithEnough(sql);
    } catch (error) {
      throw this.#failure(error, options.signal);
    } finally {
      end();
    }
  }

  /** Runs a statement, again with more memory if it needs more and may have it. */
  async #runWithEnough(sql: string): Promise<void> {
    for (;;)
      try {
        await this.connection.run(sql);
        return;
      } catch (error) {
        const more = this.memoryMb * 2;
        if (!isOutOfMemory(error) || more > this.mostMemoryMb) throw error;
        await this.#allow(more);
      }
  }

  async #allow(memoryMb: number): Promise<void> {
    if (memoryMb <= this.memoryMb) return;
    this.memoryMb = memoryMb;
    await this.connection.run(`SET memory_limit = '${memoryMb}MB'`);
  }

  close(): Promise<void> {
    this.connection.interrupt();
    this.connection.closeSync();
    this.instance.closeSync();
    this.#removeFolder();
    process.off("exit", this.#removeFolder);
    return Promise.resolve();
  }

  readonly #removeFolder = (): void => {
    if (this.#folder !== undefined)
      rmSync(this.#folder, { recursive: true, force: true });
  };

  /** The rows of a query with a small result. */
  async #small(sql: string): Promise<SqlRow[]> {
    try {
      const result = await this.connection.run(sql);
      return (await result.getRowsJS()) as SqlRow[];
    } catch (error) {
      throw this.#failure(error, undefined);
    }
  }

  /** Interrupts the query at the signal and reports its progress. Returns a function that stops both. */
  #watch({ signal, onProgress }: QueryOptions): () => void {
    signal?.throwIfAborted();
    const interrupt = () => this.connection.interrupt();
    signal?.addEventListener("abort", interrupt);
    const timer =
      onProgress &&
      setInterval(() => {
        const { percentage } = this.connection.progress;
        if (percentage > 0) onProgress({ share: percentage / 100 });
      }, PROGRESS_MS);
    return () => {
      signal?.removeEventListener("abort", interrupt);
      clearInterval(timer);
    };
  }

  #failure(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof WarehouseQueryError) return error;
    const answer = firstLine((error as Error).message);
    return new WarehouseQueryError(
      `Reading ${this.title}`,
      answer,
      isOutOfMemory(error)
        ? "Allow more with DEVID_DUCKDB_MEMORY_MB, in megabytes."
        : (ADVICE.find(([said]) => said.test(answer))?.[1] ?? ""),
    );
  }
}

/** The column of a partition: what stands behind its name in the path of a file. */
function partitionSql(name: string): string {
  const found = `regexp_extract(filename, ${quotedText("duckdb", `/${name.replace(/[^\w]/g, "\\$&")}=([^/]*)/`)}, 1)`;
  return `CASE WHEN ${found} NOT IN ('', '__HIVE_DEFAULT_PARTITION__') THEN url_decode(${found}) END AS "${name.replaceAll('"', '""')}"`;
}

/** What to do about an answer of DuckDB. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /magic bytes|a Parquet file|^Invalid Error: |Failed to read file|read enough bytes/,
    "It is not a whole Parquet file: write or copy it again.",
  ],
  [
    /maximum_object_size/,
    "Write one event on each line. An array becomes such lines with jq -c '.[]'.",
  ],
  // A file of its own folder.
  [/devid-events-/, "Name another place for temporary files with TMPDIR."],
];

/** The path of one file, as SQL. DuckDB would read `day[1].parquet` as a pattern, which names `day1.parquet`. */
export const pathSql = (path: string): string =>
  quotedText("duckdb", path.replace(/[*?[]/g, "[$&]"));

const isOutOfMemory = (error: unknown) =>
  (error as Error).message.startsWith("Out of Memory");

const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";

async function load() {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem =
      code === "ERR_DLOPEN_FAILED"
        ? `cannot be loaded on this machine (${firstLine(message)}). Install it here`
        : "is not installed";
    throw new EventSourceError(
      `Parquet and NDJSON files are read by DuckDB, which ${problem}: npm install @duckdb/node-api.`,
      { cause: error },
    );
  }
}
