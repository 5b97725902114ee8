import {
  headerTextProblem,
  proxyAgentSettings,
  usableProxyOf,
} from "@devid/sdk";
import { Agent, Pool, ProxyAgent, type Dispatcher } from "undici";
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

/** A request to an engine over HTTP. */
export interface HttpCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/**
 * An engine over HTTP. Connections are kept open, proxies come from the environment, and
 * every failure of the connection becomes a WarehouseUnreachableError.
 */
export abstract class HttpEngine implements Engine {
  readonly title: string;
  readonly table: string;
  readonly #dispatcher: Dispatcher;

  /**
   * @param name the engine's name for people
   * @param names the parts of the table's name
   * @param maxSeconds the longest time of a query
   */
  constructor(
    readonly dialect: DialectName,
    name: string,
    protected readonly url: URL,
    names: readonly string[],
    private readonly maxSeconds: number,
  ) {
    this.#dispatcher = connectionsTo(url);
    this.title = `${name} at ${url.origin}`;
    this.table = names.map((part) => quotedName(dialect, part)).join(".");
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
    return AbortSignal.any(signal ? [signal, limit.signal] : [limit.signal]);
  }

  /** @throws WarehouseUnreachableError; the reason of the signal */
  protected async send({
    url,
    signal,
    ...call
  }: HttpCall): Promise<Dispatcher.ResponseData> {
    signal?.throwIfAborted();
    try {
      return await this.#dispatcher.request({
        ...call,
        origin: url.origin,
        path: url.pathname + url.search,
        signal,
      });
    } catch (error) {
      throw this.failure(error, signal);
    }
  }

  /** The error that callers get for an error of the connection. */
  protected failure(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    const { code, message } = error as NodeJS.ErrnoException;
    return new WarehouseUnreachableError(this.operation, code ?? message, {
      cause: error,
    });
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

/**
 * The connections to an engine: through the proxy of the environment, but to loopback and to
 * the hosts of NO_PROXY directly.
 * @throws ConfigurationError for a proxy that cannot be used
 */
function connectionsTo(url: URL): Dispatcher {
  const options = {
    connectTimeout: 10_000,
    // No time limit here, because a query has one.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const proxy = usableProxyOf(url);
  return proxy
    ? new ProxyAgent({
        ...options,
        ...proxyAgentSettings(proxy, options.connectTimeout, Pool),
      })
    : new Agent(options);
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

/** Credentials from the environment: `PREFIX_USER` and `PREFIX_PASSWORD`. */
export function credentialsOf(prefix: "CLICKHOUSE" | "TRINO"): {
  readonly user?: string;
  readonly password?: string;
} {
  return {
    user: process.env[`${prefix}_USER`] || undefined,
    password: process.env[`${prefix}_PASSWORD`] || undefined,
  };
}
