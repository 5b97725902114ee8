import type { Dispatcher } from "undici";
import { proxyAgentSettings, usableProxyOf, type Proxy } from "./proxy";
import { LONGEST_ANSWER, type Timeouts } from "./timeouts";

/**
 * What `send` needs of undici. The package holds the code of undici without its types, so
 * no declaration of the package names undici.
 */
export interface Connections {
  request(asked: {
    readonly origin: string;
    readonly path: string;
    readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    readonly headers: Record<string, string>;
    readonly body: string | undefined;
    readonly signal: AbortSignal | undefined;
    readonly headersTimeout: number;
    readonly bodyTimeout: number;
  }): Promise<{
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: {
      bytes(): Promise<Uint8Array>;
      text(): Promise<string>;
    };
  }>;
}

/** Makes the connections of one request. `onSent` is called when the request begins to be written to one. */
type Dispatching = (onSent: () => void) => Connections;

const dispatchers = new Map<string, Promise<Dispatching>>();

/**
 * The connection pool for an origin: keep-alive, and through the proxy of the
 * environment (`usableProxyOf`). Pools are shared by the process; idle connections do not keep it running. The HTTP library is
 * loaded with the first pool, because many programs make a client but no call.
 * @param onSent is called when the request begins to be written to a connection. Before
 * that, the service has seen nothing of the request
 */
export async function connectionsFor(
  url: URL,
  timeouts: Timeouts,
  onSent: () => void,
): Promise<Connections> {
  const proxy = usableProxyOf(url);
  const identity = JSON.stringify([proxy, timeouts]);
  let dispatching = dispatchers.get(identity);
  if (!dispatching) {
    dispatching = makeDispatching(proxy, timeouts);
    dispatchers.set(identity, dispatching);
  }
  return (await dispatching)(onSent);
}

async function makeDispatching(
  proxy: Proxy | undefined,
  timeouts: Timeouts,
): Promise<Dispatching> {
  // A program with a `fetch` of its own may run where undici cannot be loaded.
  const { Agent, Pool, ProxyAgent } = await import("./undici.js");
  const options = {
    connect: { timeout: timeouts.connectTimeoutMs },
    headersTimeout: timeouts.headersTimeoutMs,
    bodyTimeout: timeouts.bodyTimeoutMs,
    maxResponseSize: LONGEST_ANSWER,
    keepAliveTimeout: 4_000,
  };
  const pools = proxy
    ? new ProxyAgent({
        ...options,
        ...proxyAgentSettings(proxy, timeouts.connectTimeoutMs, Pool),
      })
    : new Agent(options);
  return (onSent) =>
    pools.compose(
      (dispatch) => (asked, handler) =>
        dispatch(asked, handlerWithOnSent(handler, onSent)),
    );
}

/** A handler of undici that calls `onSent` when a request begins to be written. */
function handlerWithOnSent(
  handler: Dispatcher.DispatchHandler,
  onSent: () => void,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      handler.onRequestStart?.(controller, context);
      if (!controller.aborted) onSent();
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}
