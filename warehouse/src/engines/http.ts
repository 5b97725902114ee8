import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import { EventSourceError, WarehouseUnreachableError } from "../errors";
import { type DialectName, quotedName, type SqlRow } from "../sql";
import {
  allRows,
  describedColumns,
  type DescribedColumn,
  type Engine,
  type QueryOptions,
} from "./engine";

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
  readonly #dispatcher = connections();

  /**
   * @param name the engine's name for people
   * @param names the parts of the table's name
   */
  constructor(
    readonly dialect: DialectName,
    name: string,
    protected readonly url: URL,
    names: readonly string[],
  ) {
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

/** @throws EventSourceError that names the variables of the proxy, without their values, which may hold a password */
function connections(): EnvHttpProxyAgent {
  try {
    return new EnvHttpProxyAgent({
      connectTimeout: 10_000,
      // No time limit here, because the engine has the limit of the query.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  } catch {
    const set = PROXY_VARIABLES.filter((name) => process.env[name]);
    throw new EventSourceError(
      `The proxy of the environment (${set.join(", ")}) cannot be used: its address is not valid. Write it like http://proxy.example:3128, with %40 for @ and %23 for # in a user name or a password.`,
    );
  }
}

const PROXY_VARIABLES = [
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
];

/**
 * The value of a setting that goes into a header, which takes only letters, digits and signs
 * of ASCII; a text that was copied from a page can have others.
 * @throws EventSourceError that names the setting and the character, not the value
 */
export function inHeader(setting: string, value: string): string {
  const at = value.search(/[^\x20-\x7e]/u);
  if (at === -1) return value;
  const code = value.codePointAt(at)?.toString(16).toUpperCase();
  throw new EventSourceError(
    `${setting} cannot be used: its character ${at + 1} is U+${code?.padStart(4, "0")}, which a header of HTTP cannot have. Write it again, as plain text.`,
  );
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

/** The lines of a body, as they arrive. */
export async function* linesOf(
  body: AsyncIterable<Buffer>,
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) yield lines;
  }
  if (rest !== "") yield [rest];
}
