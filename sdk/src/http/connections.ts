import type { Pool } from "undici";
import { proxyAgentSettings, usableProxyOf, type Proxy } from "./proxy";
import { LONGEST_ANSWER, type Timeouts } from "./timeouts";

/** A request. Without its own time limits, those of the connections apply. */
export interface ConnectionRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Record<string, string>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
}

/** An answer, whose body is still to be read, or to be dropped. */
export interface ConnectionAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array> & {
    bytes(): Promise<Uint8Array>;
    text(): Promise<string>;
    dump(): Promise<void>;
  };
}

/**
 * What our packages need of undici. This package holds the code of undici without its
 * types, so none of its declarations names undici.
 */
export interface Connections {
  request(asked: ConnectionRequest): Promise<ConnectionAnswer>;
}

/** Makes the connections of one request. `onSent` is called when the request begins to be written to one. */
type Dispatching = (onSent: () => void) => Connections;

const dispatchers = new Map<string, Promise<Dispatching>>();

/** Limits of connections. */
type Limits = Pick<
  Timeouts,
  "connectTimeoutMs" | "headersTimeoutMs" | "bodyTimeoutMs"
> & {
  /** Bytes of an answer; -1: no limit. Default: 64 MiB. */
  readonly longestAnswer?: number;
};

/** The code of the error if an answer is longer than the limit. */
export const TOO_LONG_ANSWER = "UND_ERR_RES_EXCEEDED_MAX_SIZE";

/**
 * The connection pool for an origin: keep-alive, and through the proxy of the
 * environment (`usableProxyOf`). Pools are shared by the process; idle connections do not keep it running. The HTTP library is
 * loaded with the first pool, because many programs make a client but no call.
 * @param onSent is called when the request begins to be written to a connection. Before
 * that, the other side has seen nothing of the request
 * @throws ConfigurationError for a proxy that cannot be used
 */
export async function connectionsFor(
  url: URL,
  {
    connectTimeoutMs,
    headersTimeoutMs,
    bodyTimeoutMs,
    longestAnswer = LONGEST_ANSWER,
  }: Limits,
  onSent: () => void = () => undefined,
): Promise<Connections> {
  const proxy = usableProxyOf(url);
  const options = {
    connect: { timeout: connectTimeoutMs },
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    maxResponseSize: longestAnswer,
    keepAliveTimeout: 4_000,
  };
  const identity = JSON.stringify([proxy, options]);
  let dispatching = dispatchers.get(identity);
  if (!dispatching) {
    dispatching = makeDispatching(proxy, options);
    dispatchers.set(identity, dispatching);
  }
  return (await dispatching)(onSent);
}

async function makeDispatching(
  proxy: Proxy | undefined,
  options: Pool.Options & { readonly connect: { readonly timeout: number } },
): Promise<Dispatching> {
  // A program with a `fetch` of its own may run where undici cannot be loaded.
  const { Agent, Pool, ProxyAgent } = await import("./undici.js");
  const pools = proxy
    ? new ProxyAgent({
        ...options,
        ...proxyAgentSettings(proxy, options.connect.timeout, Pool),
      })
    : new Agent(options);
  return (onSent) =>
    pools.compose((dispatch) => (asked, handler) => {
      // undici makes a handler for each request.
      const start = handler.onRequestStart?.bind(handler);
      handler.onRequestStart = (controller, context) => {
        start?.(controller, context);
        if (!controller.aborted) onSent();
      };
      return dispatch(asked, handler);
    });
}
