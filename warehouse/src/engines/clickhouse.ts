import { type SqlCell, type SqlRow, quotedName, quotedText } from "../sql";
import { randomUUID } from "node:crypto";
import { WarehouseQueryError } from "../errors";
import type { EventSource } from "../source";
import {
  describedColumns,
  type DescribedColumn,
  type Engine,
  type QueryOptions,
  allRows,
} from "./engine";
import { credentialsOf, EngineHttp, linesOf } from "./http";

/** Milliseconds between two looks at the progress of a query. */
const PROGRESS_MS = 500;

/** Longest query, in bytes. */
const MAX_QUERY_BYTES = 16 * 2 ** 20;

/** ClickHouse over its HTTP interface. Queries are read-only, and end with the command. */
export class ClickHouse implements Engine {
  readonly dialect = "clickhouse";
  readonly title: string;
  readonly table: string;
  readonly #url: URL;
  readonly #http: EngineHttp;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #maxSeconds: number;

  constructor(
    { url, table }: Extract<EventSource, { kind: "clickhouse" }>,
    { maxSeconds }: { readonly maxSeconds: number },
  ) {
    const { user = "default", password } = credentialsOf("CLICKHOUSE");
    this.title = `ClickHouse at ${url.origin}`;
    this.table = table
      .split(".")
      .map((name) => quotedName("clickhouse", name))
      .join(".");
    this.#url = url;
    this.#http = new EngineHttp(this.#operation);
    this.#headers = {
      "X-ClickHouse-User": user,
      ...(password !== undefined && { "X-ClickHouse-Key": password }),
    };
    this.#maxSeconds = maxSeconds;
  }

  async describe(options?: QueryOptions): Promise<DescribedColumn[]> {
    const sql = `DESCRIBE TABLE ${this.table}`;
    return describedColumns(await allRows(this, sql, options));
  }

  async *query(
    sql: string,
    { signal, onProgress }: QueryOptions = {},
  ): AsyncGenerator<readonly SqlRow[]> {
    const id = `devid-${randomUUID()}`;
    const url = this.#address({
      query_id: id,
      readonly: "2",
      max_execution_time: String(this.#maxSeconds),
      // The server's own limits, 256 KiB and 50,000 parts, are too little for hundreds of rules.
      max_query_size: String(MAX_QUERY_BYTES),
      max_ast_elements: "1000000",
      default_format: "JSONCompactEachRow",
      output_format_json_quote_64bit_integers: "0",
      output_format_json_quote_denormals: "0",
      // An error then comes as the answer, not in the middle of a partial result.
      wait_end_of_query: "1",
    });
    const timer =
      onProgress &&
      setInterval(() => void this.#reportProgress(id, onProgress), PROGRESS_MS);
    let isDone = false;
    try {
      const { statusCode, body } = await this.#http.send({
        method: "POST",
        url,
        headers: this.#headers,
        body: sql,
        signal,
      });
      if (statusCode !== 200) {
        const answer = await body.text();
        isDone = true;
        throw this.#refusal(answer, statusCode);
      }
      for await (const lines of linesOf(body))
        yield lines
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as SqlCell[]);
      isDone = true;
    } catch (error) {
      throw error instanceof WarehouseQueryError
        ? error
        : this.#http.failure(error, signal);
    } finally {
      clearInterval(timer);
      if (!isDone) await this.#kill(id);
    }
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  get #operation(): string {
    return `Reading the events of ${this.title}`;
  }

  #address(settings: Readonly<Record<string, string>>): URL {
    const url = new URL(this.#url);
    url.search = new URLSearchParams(settings).toString();
    return url;
  }

  /** Ends a query on the server. A failure is ignored: a server that is gone has ended its queries. */
  async #kill(id: string): Promise<void> {
    try {
      await this.#run(
        `KILL QUERY WHERE query_id = ${quotedText("clickhouse", id)} ASYNC`,
      );
    } catch {
      // The query ends at its time limit anyway.
    }
  }

  async #reportProgress(
    id: string,
    onProgress: NonNullable<QueryOptions["onProgress"]>,
  ): Promise<void> {
    try {
      const text = await this.#run(
        `SELECT read_rows / greatest(total_rows_approx, read_rows, 1) FROM system.processes WHERE query_id = ${quotedText("clickhouse", id)} FORMAT TabSeparated`,
      );
      if (text !== "") onProgress({ share: Number(text) });
    } catch {
      // A user who may not see the processes sees no progress.
    }
  }

  async #run(sql: string): Promise<string> {
    const { body } = await this.#http.send({
      method: "POST",
      url: this.#address({}),
      headers: this.#headers,
      body: sql,
      signal: AbortSignal.timeout(5_000),
    });
    return body.text();
  }

  #refusal(answer: string, status: number): WarehouseQueryError {
    const [first = ""] = answer.trim().split("\n");
    const code = Number(/^Code: (\d+)/.exec(first)?.[1]);
    return new WarehouseQueryError(
      this.#operation,
      `${status} ${first.slice(0, 600)}`,
      ADVICE.get(code),
    );
  }
}

const TOO_LONG =
  "The query took longer than it may: allow more with --max-query-time, or ask for less time.";

/** What to do about an error, by ClickHouse's error code. */
const ADVICE: ReadonlyMap<number, string> = new Map([
  [159, TOO_LONG],
  [160, TOO_LONG],
  [
    164,
    "Give the user a profile with readonly = 2, which lets a query set its own limits.",
  ],
  [
    241,
    "The server's limit of memory was reached: ask for less time, or let the user have more.",
  ],
  [516, "Check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD."],
]);
