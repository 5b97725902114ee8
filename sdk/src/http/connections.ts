import type { buildConnector, Dispatcher, Pool } from "undici";

/** Time limits of one attempt, in milliseconds. */
export interface Timeouts {
  readonly connectTimeoutMs: number;
  /** From the request's end to the answer's headers. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of the answer's body. */
  readonly bodyTimeoutMs: number;
  /** From the beginning to the end of the answer's body, however it comes. */
  readonly attemptTimeoutMs: number;
}

/**
 * In bytes. A page of events has some MB. The service never sends a longer body.
 */
export const LONGEST_ANSWER = 64 * 1024 * 1024;

/** 10 s to connect, 30 s for headers, 30 s between two pieces of the body, 120 s in all. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  attemptTimeoutMs: 120_000,
};

/** Makes the dispatcher of one request. `onSent` is called when the request begins to be written to a connection. */
type Dispatching = (onSent: () => void) => Dispatcher;

const dispatchers = new Map<string, Promise<Dispatching>>();

/**
 * The connection pool for an origin: keep-alive, and through the proxy that
 * HTTP_PROXY, HTTPS_PROXY and NO_PROXY name, but never for loopback. Pools are
 * shared by the process; idle connections do not keep it running. The HTTP library is
 * loaded with the first pool, because many programs make a client but no call.
 * @param onSent is called when the request begins to be written to a connection. Before
 * that, the service has seen nothing of the request
 */
export async function dispatcherFor(
  url: URL,
  timeouts: Timeouts,
  onSent: () => void,
): Promise<Dispatcher> {
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
  const { Agent, EnvHttpProxyAgent, Pool } = await import("undici");
  const connect = { timeout: timeouts.connectTimeoutMs };
  const options = {
    connect,
    headersTimeout: timeouts.headersTimeoutMs,
    bodyTimeout: timeouts.bodyTimeoutMs,
    maxResponseSize: LONGEST_ANSWER,
    keepAliveTimeout: 4_000,
  };
  const pools = direct
    ? new Agent(options)
    : new EnvHttpProxyAgent({
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
  return (onSent) =>
    pools.compose(
      (dispatch) => (asked, handler) =>
        dispatch(asked, handlerWithOnSent(handler, onSent)),
    );
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
