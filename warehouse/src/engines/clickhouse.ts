import { type SqlRow, quotedText } from "../sql";
import { randomUUID } from "node:crypto";
import { WarehouseQueryError, WarehouseUnreachableError } from "../errors";
import type { EventSource } from "../source";
import type { QueryOptions } from "./engine";
import { linesOf } from "../lines-of";
import { HttpEngine, inHeader, TOO_LONG } from "./http";

/** Milliseconds between two looks at the progress of a query. */
const PROGRESS_MS = 500;

/** Longest query, in bytes. */
const MAX_QUERY_BYTES = 16 * 2 ** 20;

/** ClickHouse over its HTTP interface. Queries are read-only, and end with the command. */
export class ClickHouse extends HttpEngine {
  readonly #headers: Readonly<Record<string, string>>;
  /** What a query sets. A user with `readonly = 1` may set nothing. */
  #settings: Readonly<Record<string, string>>;

  constructor(
    { url, table }: Extract<EventSource, { kind: "clickhouse" }>,
    { maxSeconds }: { readonly maxSeconds: number },
  ) {
    super("clickhouse", "ClickHouse", url, table.split("."), maxSeconds);
    const { user = "default", password } = this;
    this.#headers = {
      "X-ClickHouse-User": inHeader("CLICKHOUSE_USER", user),
      ...(password !== undefined && {
        "X-ClickHouse-Key": inHeader("CLICKHOUSE_PASSWORD", password),
      }),
    };
    this.#settings = {
      readonly: "2",
      max_execution_time: String(maxSeconds),
      // The server's own limits, 256 KiB and 50,000 parts, are too little for hundreds of rules.
      max_query_size: String(MAX_QUERY_BYTES),
      max_ast_elements: "1000000",
    };
  }

  async *query(
    sql: string,
    { signal, onProgress }: QueryOptions = {},
  ): AsyncGenerator<readonly SqlRow[]> {
    const id = `devid-${randomUUID()}`;
    const ends = this.limited(signal);
    const timer =
      onProgress &&
      setInterval(() => void this.#reportProgress(id, onProgress), PROGRESS_MS);
    let isDone = false;
    try {
      const body = await this.#answer(id, sql, ends);
      for await (const lines of linesOf(body)) yield lines.map(tabSeparatedRow);
      isDone = true;
    } catch (error) {
      isDone = isRefusal(error) && !ends.aborted;
      throw isDone ? error : this.failure(error, ends);
    } finally {
      clearInterval(timer);
      if (!isDone) await this.#kill(id);
    }
  }

  /** Sends a query, and returns the body of its answer. @throws the server's refusal */
  async #answer(id: string, sql: string, signal: AbortSignal) {
    for (;;) {
      const { statusCode, headers, body } = await this.send({
        method: "POST",
        url: this.#address({
          query_id: id,
          // An error then comes as the answer, not in the middle of a partial result.
          wait_end_of_query: "1",
          ...this.#settings,
        }),
        headers: this.#headers,
        body: `${sql} FORMAT TabSeparated`,
        signal,
      });
      const isRows = String(headers["content-type"]).startsWith(ROWS_TYPE);
      if (statusCode === 200 && isRows) return body;
      const answer = await body.text();
      const mayOnlyRead = codeOf(answer) === READONLY;
      if (!mayOnlyRead || Object.keys(this.#settings).length === 0)
        throw this.#refusal(answer, statusCode);
      this.#settings = {};
    }
  }

  #address(parameters: Readonly<Record<string, string>>): URL {
    const url = new URL(this.url);
    url.search = new URLSearchParams(parameters).toString();
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
        `SELECT read_rows / greatest(total_rows_approx, read_rows + 1) FROM system.processes WHERE query_id = ${quotedText("clickhouse", id)} FORMAT TabSeparated`,
      );
      if (text !== "") onProgress({ share: Number(text) });
    } catch {
      // A user who may not see the processes sees no progress.
    }
  }

  async #run(sql: string): Promise<string> {
    const { statusCode, body } = await this.send({
      method: "POST",
      url: this.#address({}),
      headers: this.#headers,
      body: sql,
      signal: AbortSignal.timeout(5_000),
    });
    const answer = await body.text();
    if (statusCode !== 200) throw this.#refusal(answer, statusCode);
    return answer;
  }

  #refusal(answer: string, status: number): Error {
    const code = codeOf(answer);
    const lost = LOST.get(code);
    if (lost !== undefined)
      return new WarehouseUnreachableError(this.operation, `a shard: ${lost}`);
    const [, text = ""] = ERROR.exec(answer) ?? [];
    return Number.isNaN(code)
      ? this.foreign(status, answer)
      : this.refusal(`${status} Code: ${code}: ${text}`, ADVICE.get(code));
  }
}

const ROWS_TYPE = "text/tab-separated-values";

/** ClickHouse's code for a query that only a user who is not `readonly` may run. */
const READONLY = 164;

/** An error as servers write it, and as Debian's 18.16 does, the only server that our tests can install (docs/warehouse.md). */
const ERROR =
  /^Code: \d+[.,] (?:e\.displayText\(\) = )?(?:DB::)?(?:\w*Exception: )?(.*?)(?:, e\.what\(\) = .*)?$/m;

const codeOf = (answer: string) => Number(/^Code: (\d+)/.exec(answer)?.[1]);

const isRefusal = (error: unknown) =>
  error instanceof WarehouseQueryError ||
  error instanceof WarehouseUnreachableError;

/** Codes of errors after which a server cannot reach another server of its cluster. */
const LOST: ReadonlyMap<number, string> = new Map([
  [32, "ATTEMPT_TO_READ_AFTER_EOF"],
  [198, "DNS_ERROR"],
  [209, "SOCKET_TIMEOUT"],
  [210, "NETWORK_ERROR"],
  [279, "ALL_CONNECTION_TRIES_FAILED"],
  [519, "ALL_REPLICAS_LOST"],
]);

const TOO_MUCH =
  "This is a limit of the user on the server: ask for less time with --since, or let the user read more.";
const NO_TABLE = "Check table=DATABASE.TABLE in the address.";
const CREDENTIALS = "Check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.";

const ADVICE: ReadonlyMap<number, string> = new Map([
  [46, "The server is too old: it has to be ClickHouse 23 or later."],
  [60, NO_TABLE],
  [
    62,
    "If the rules are too long for one query, give the user a profile with readonly = 2, which lets a query set its own limits.",
  ],
  [81, NO_TABLE],
  [158, TOO_MUCH],
  [159, TOO_LONG],
  [160, TOO_LONG],
  [192, CREDENTIALS],
  [193, CREDENTIALS],
  [194, CREDENTIALS],
  [201, TOO_MUCH],
  [
    241,
    "The server's limit of memory was reached: ask for less time with --since, or let the user have more.",
  ],
  [307, TOO_MUCH],
  [396, TOO_MUCH],
  [497, "The user needs the privilege SELECT on the table."],
  [516, CREDENTIALS],
]);

const ESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  0: "\0",
};

/**
 * The cells of a line of ClickHouse's format TabSeparated. Numbers are texts. Every
 * version of ClickHouse writes this format, and no setting of a query is needed for it.
 */
function tabSeparatedRow(line: string): SqlRow {
  const cells = line.split("\t");
  return line.includes("\\") ? cells.map(cellOf) : cells;
}

function cellOf(cell: string): string | null {
  if (cell === "\\N") return null;
  return cell.replace(
    /\\(.)/gs,
    (_, escaped: string) => ESCAPED[escaped] ?? escaped,
  );
}
