import {
  ConfigurationError,
  connectionsFor,
  failureCode,
  headerTextProblem,
  Redactor,
  type ConnectionAnswer,
  type ConnectionRequest,
} from "@devid/sdk";
import {
  EventSourceError,
  WarehouseQueryError,
  WarehouseUnreachableError,
} from "../errors";
import { type DialectName, quotedName, type SqlRow } from "../sql";
import {
  allRows,
  describedColumns,
  type DescribedColumn,
  type Engine,
  type QueryOptions,
} from "./engine";

/** Milliseconds that a server has to answer that a query took too long. */
const GRACE_MS = 2_000;

/** The longest timer of Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const TOO_LONG =
  "Allow more time with --max-query-time, or ask for less time with --since.";

/** Characters of an answer that a message shows. */
const LONGEST_REFUSAL = 650;

/** A query has a time limit of its own. Its answer may be of any size. */
const LIMITS = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 0,
  bodyTimeoutMs: 0,
  longestAnswer: -1,
};

/**
 * An engine over HTTP. Connections are kept open, proxies come from the environment, and
 * every failure of the connection becomes a WarehouseUnreachableError.
 */
export abstract class HttpEngine implements Engine {
  readonly title: string;
  readonly table: string;
  protected readonly user: string | undefined;
  protected readonly password: string | undefined;
  readonly #redactor = new Redactor();
  readonly #closing = new AbortController();

  /**
   * Credentials come from the environment: `CLICKHOUSE_USER` and `CLICKHOUSE_PASSWORD`, for example.
   * @param name the engine's name for people
   * @param names the parts of the table's name
   * @param maxSeconds the longest time of a query
   */
  constructor(
    readonly dialect: DialectName,
    private readonly name: string,
    protected readonly url: URL,
    names: readonly string[],
    private readonly maxSeconds: number,
  ) {
    this.title = `${name} at ${url.origin}`;
    this.table = names.map((part) => quotedName(dialect, part)).join(".");
    const prefix = name.toUpperCase();
    this.user = process.env[`${prefix}_USER`] || undefined;
    this.password = process.env[`${prefix}_PASSWORD`] || undefined;
    const basic = Buffer.from(`${this.user}:${this.password}`);
    if (this.password)
      this.#redactor.add(this.password, basic.toString("base64"));
  }

  abstract query(
    sql: string,
    options?: QueryOptions,
  ): AsyncIterable<readonly SqlRow[]>;

  async describe(options?: QueryOptions): Promise<DescribedColumn[]> {
    const sql = `DESCRIBE ${this.table}`;
    return describedColumns(await allRows(this, sql, options));
  }

  /** What is being done, for messages. */
  protected get operation(): string {
    return `Reading the events of ${this.title}`;
  }

  /**
   * A signal that also ends a query which takes too long. The server has the same limit, but
   * ClickHouse takes it only from a user who may change settings, and a server may be silent.
   */
  protected limited(signal: AbortSignal | undefined): AbortSignal {
    const limit = new AbortController();
    const error = new WarehouseQueryError(
      this.operation,
      `it took longer than ${this.maxSeconds} s.`,
      TOO_LONG,
    );
    setTimeout(
      () => limit.abort(error),
      Math.min(this.maxSeconds * 1_000 + GRACE_MS, LONGEST_TIMER_MS),
    ).unref();
    return AbortSignal.any([
      limit.signal,
      this.#closing.signal,
      ...(signal ? [signal] : []),
    ]);
  }

  /** @throws WarehouseUnreachableError; the reason of the signal */
  protected async send({
    url,
    signal,
    ...call
  }: Omit<ConnectionRequest, "origin" | "path"> & {
    readonly url: URL;
  }): Promise<ConnectionAnswer> {
    signal?.throwIfAborted();
    const connections = await connectionsFor(url, LIMITS);
    try {
      return await connections.request({
        ...call,
        origin: url.origin,
        path: url.pathname + url.search,
        signal,
      });
    } catch (error) {
      throw this.failure(error, signal);
    }
  }

  /** The error that callers get for an error of the connection, or of a proxy's address. */
  protected failure(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof ConfigurationError) return error;
    return new WarehouseUnreachableError(this.operation, failureCode(error), {
      cause: error,
    });
  }

  /**
   * The error for a refusal. An engine, or a gateway before it, may repeat what it was sent,
   * so the credentials are removed.
   */
  protected refusal(answer: string, advice?: string): WarehouseQueryError {
    const clean = this.#redactor.redact(answer).slice(0, LONGEST_REFUSAL);
    return new WarehouseQueryError(this.operation, clean, advice);
  }

  /** The error for an answer that is not the engine's. */
  protected foreign(status: number, answer: string): WarehouseQueryError {
    const clean = this.#redactor.redact(answer).slice(0, 200);
    return this.refusal(
      `it answered ${status} ${JSON.stringify(clean)}, which is not ${this.name}'s protocol.`,
      "Check the address.",
    );
  }

  close(): Promise<void> {
    this.#closing.abort();
    return Promise.resolve();
  }
}

/**
 * The value of a setting that goes into a header.
 * @throws EventSourceError that names the setting and the character, not the value
 */
export function inHeader(setting: string, value: string): string {
  const problem = headerTextProblem(value, { mayHaveBlanks: true });
  if (problem === undefined) return value;
  throw new EventSourceError(`${setting} ${problem}`);
}
