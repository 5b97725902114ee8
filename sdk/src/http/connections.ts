import type { buildConnector, Dispatcher, Pool } from "undici";
import { ConfigurationError } from "./errors";
import { forgetContent } from "./failure";
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
 * The connection pool for an origin: keep-alive, and through the proxy that
 * HTTP_PROXY, HTTPS_PROXY and NO_PROXY name, but never for loopback. Pools are
 * shared by the process; idle connections do not keep it running. The HTTP library is
 * loaded with the first pool, because many programs make a client but no call.
 * @param onSent is called when the request begins to be written to a connection. Before
 * that, the service has seen nothing of the request
 */
export async function connectionsFor(
  url: URL,
  timeouts: Timeouts,
  onSent: () => void,
): Promise<Connections> {
  const direct = isLoopback(url.hostname);
  const identity = JSON.stringify([direct, timeouts]);
  let dispatching = dispatchers.get(identity);
  if (!dispatching) {
    dispatching = makeDispatching(direct, timeouts);
    dispatchers.set(identity, dispatching);
  }
  return (await dispatching)(onSent);
}

async function makeDispatching(
  direct: boolean,
  timeouts: Timeouts,
): Promise<Dispatching> {
  // A program with a `fetch` of its own may run where undici cannot be loaded.
  const { Agent, EnvHttpProxyAgent, Pool } = await import("./undici.js");
  const connect = { timeout: timeouts.connectTimeoutMs };
  const options = {
    connect,
    headersTimeout: timeouts.headersTimeoutMs,
    bodyTimeout: timeouts.bodyTimeoutMs,
    maxResponseSize: LONGEST_ANSWER,
    keepAliveTimeout: 4_000,
  };
  const throughProxy = () =>
    new EnvHttpProxyAgent({
      ...options,
      requestTls: connect,
      proxyTls: connect,
      // The answer to CONNECT belongs to the time for a connection.
      clientFactory: (origin, opts) =>
        new Pool(origin, {
          ...opts,
          headersTimeout: timeouts.connectTimeoutMs,
        }),
      factory: (origin, opts: Pool.Options) =>
        new Pool(origin, { ...opts, connect: endingConnector(opts.connect) }),
    });
  const pools = direct ? new Agent(options) : usableProxy(throughProxy);
  return (onSent) =>
    pools.compose(
      (dispatch) => (asked, handler) =>
        dispatch(asked, handlerWithOnSent(handler, onSent)),
    );
}

const PROXY_VARIABLES = [
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
];

/**
 * The pools that `make` makes with the proxies of the environment.
 * @throws ConfigurationError that names the variables, without their values, which may
 * hold a password
 */
function usableProxy<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    forgetContent(error);
    const set = PROXY_VARIABLES.filter((name) => process.env[name]);
    throw new ConfigurationError(
      `The proxy of the environment (${set.join(", ")}) cannot be used: its address is not valid. Write it like http://proxy.example:3128, with %40 for @ and %23 for # in a user name or a password.`,
    );
  }
}

/**
 * A connector whose failures end the requests that wait for it. undici reads
 * UND_ERR_SOCKET as the end of an existing connection, and connects again without a
 * limit. A proxy that hangs up instead of opening a tunnel also fails with that code.
 */
function endingConnector(connector: Pool.Options["connect"]) {
  if (typeof connector !== "function") return connector;
  const ending: buildConnector.connector = (options, callback) =>
    connector(options, (...[error, socket]) =>
      error === null
        ? callback(null, socket)
        : callback(withoutCode(error, "UND_ERR_SOCKET"), null),
    );
  return ending;
}

/** The error; for an error with this code, an equal error with the code ECONNRESET. */
function withoutCode(error: NodeJS.ErrnoException, code: string): Error {
  return error.code === code
    ? Object.assign(new Error(error.message, { cause: error }), {
        code: "ECONNRESET",
      })
    : error;
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

/** Whether a host name or an address is this machine. An IPv6 address may have brackets. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}
