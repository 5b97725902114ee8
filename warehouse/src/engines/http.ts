import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import { WarehouseUnreachableError } from "../errors";

/** A request to an engine over HTTP. */
export interface HttpCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/**
 * HTTP to one engine. Connections are kept open, proxies come from the environment, and
 * every failure of the connection becomes a WarehouseUnreachableError.
 */
export class EngineHttp {
  readonly #dispatcher = new EnvHttpProxyAgent({
    connectTimeout: 10_000,
    // No time limit here, because the engine has the limit of the query.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  /** @param operation what is done with the engine, for messages: `Reading the events of Trino at https://trino.example` */
  constructor(private readonly operation: string) {}

  /** @throws WarehouseUnreachableError; the reason of the signal */
  async send({
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
  failure(error: unknown, signal: AbortSignal | undefined): unknown {
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
