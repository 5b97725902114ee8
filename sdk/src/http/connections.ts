import type { Dispatcher } from "undici";

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

/** In bytes: a page of events is some MB; what is longer is no answer of the service. */
export const LONGEST_ANSWER = 64 * 1024 * 1024;

/** 10 s to connect, 30 s for headers, 30 s between two pieces of the body, 120 s in all. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  attemptTimeoutMs: 120_000,
};

const dispatchers = new Map<string, Promise<Dispatcher>>();

/**
 * The connection pool for an origin: keep-alive, and through the proxy that
 * HTTP_PROXY, HTTPS_PROXY and NO_PROXY name, but never for loopback. Pools are
 * shared by the process; idle connections do not keep it running. The HTTP
 * library is loaded with the first of them, for many programs make a client and
 * then no call.
 */
export function dispatcherFor(
  url: URL,
  timeouts: Timeouts = DEFAULT_TIMEOUTS,
): Promise<Dispatcher> {
  const direct = isLoopback(url.hostname);
  const identity = JSON.stringify([direct, timeouts]);
  let dispatcher = dispatchers.get(identity);
  if (!dispatcher) {
    dispatcher = makeDispatcher(direct, timeouts);
    dispatchers.set(identity, dispatcher);
  }
  return dispatcher;
}

async function makeDispatcher(
  direct: boolean,
  timeouts: Timeouts,
): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent, Pool } = await import("undici");
  const options = {
    connect: { timeout: timeouts.connectTimeoutMs },
    headersTimeout: timeouts.headersTimeoutMs,
    bodyTimeout: timeouts.bodyTimeoutMs,
    maxResponseSize: LONGEST_ANSWER,
    keepAliveTimeout: 4_000,
  };
  if (direct) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: options.connect,
    proxyTls: options.connect,
    // The answer to CONNECT belongs to the time for a connection.
    clientFactory: (origin, opts) =>
      new Pool(origin, { ...opts, headersTimeout: timeouts.connectTimeoutMs }),
  });
}

/** Whether a host name or address, as a URL or an option has it, is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}
