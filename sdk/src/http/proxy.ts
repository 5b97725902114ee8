import { BlockList, isIP } from "node:net";
import type { buildConnector, Pool } from "undici";
import { isLoopback } from "../address";
import { ConfigurationError } from "./errors";

/** A proxy of the environment, and the variable that names it. */
export interface Proxy {
  readonly variable: string;
  /** May hold a password, so no message has it. */
  readonly address: string;
}

/**
 * The proxy that requests to an address go through; undefined if they go there directly.
 * As in undici, a variable in small letters wins, HTTP_PROXY is also for https if there is
 * no HTTPS_PROXY, and NO_PROXY lists hosts with their subdomains, and networks. No proxy is for
 * loopback.
 */
export function proxyOf(
  url: URL,
  env: NodeJS.ProcessEnv = process.env,
): Proxy | undefined {
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? "";
  if (isLoopback(url.hostname) || isListed(url, noProxy)) return undefined;
  for (const protocol of url.protocol === "https:"
    ? ["https", "http"]
    : ["http"]) {
    const spellings = [`${protocol}_proxy`, `${protocol.toUpperCase()}_PROXY`];
    const variable = spellings.find((name) => env[name] !== undefined) ?? "";
    const address = env[variable];
    if (address) return { variable, address };
  }
  return undefined;
}

/**
 * Whether NO_PROXY names the host of an address: `example.com`, `.example.com:8080`, `*`, or,
 * as for Pulumi's engine, `10.0.0.0/8`, `fd00::1` or `[fd00::1]:8443`.
 */
function isListed({ protocol, hostname, port }: URL, noProxy: string): boolean {
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  const own = hostname.replace(/^\[|\]$/g, "");
  return noProxy.split(/[,\s]+/).some((entry) => {
    if (entry === "*") return true;
    // An IPv6 address without brackets has no port.
    const [, named = entry, namedPort = ownPort] =
      (!isIP(entry) && /^(.+):(\d+)$/.exec(entry)) || [];
    const host = named.replace(/^\*?\.|^\[|\]$/g, "").toLowerCase();
    const isHost = own === host || own.endsWith(`.${host}`);
    return (
      host !== "" &&
      (isIP(own) ? isWithin(own, host) : isHost) &&
      namedPort === ownPort
    );
  });
}

/** Whether an IP address is in a network, or equals an address in any spelling. */
function isWithin(address: string, network: string): boolean {
  const [, base = "", bits] = /^([^/%]+)(?:\/(\d+))?$/.exec(network) ?? [];
  const version = isIP(base);
  const longest = version === 6 ? 128 : 32;
  const length = Number(bits ?? longest);
  if (isIP(address) !== version || length > longest) return false;
  const list = new BlockList();
  const family = version === 6 ? "ipv6" : "ipv4";
  list.addSubnet(base, length, family);
  return list.check(address, family);
}

/**
 * The proxy that requests to an address go through (`proxyOf`), with an address that is checked;
 * undefined if they go there directly. A proxy that they do not go through is not checked.
 * @throws ConfigurationError that names the variable, without its value
 */
export function usableProxyOf(url: URL): Proxy | undefined {
  const proxy = proxyOf(url);
  if (!proxy || isUsable(proxy.address)) return proxy;
  throw new ConfigurationError(
    `The proxy of the environment (${proxy.variable}) cannot be used: its address is not valid. Write it like http://proxy.example:3128, with %40 for @, %23 for # and %25 for % in a user name or a password.`,
  );
}

/** Whether a text is the address of a proxy: an origin, which may have a user and a password. */
function isUsable(address: string): boolean {
  try {
    const url = new URL(address);
    const { protocol, host, pathname, search, hash } = url;
    // A sign of percent that begins no byte of UTF-8 has to be written %25.
    decodeURIComponent(url.username + url.password);
    return (
      /^(https?|socks5?):$/.test(protocol) &&
      host !== "" &&
      // The parser drops line breaks and tabs.
      !/\s/.test(address.trim()) &&
      /^\/?$/.test(pathname + search + hash)
    );
  } catch {
    return false;
  }
}

/**
 * Options for a `ProxyAgent` of undici, with which a proxy that opens no tunnel ends the
 * requests that wait for one. By default, undici connects again without a limit and a pause.
 * @param connectTimeoutMs the longest time in which the proxy opens a tunnel
 * @param UndiciPool the class of undici. Its type is not named, because declarations of
 * this package name no type of undici
 */
export function proxyAgentSettings<P>(
  { address }: Proxy,
  connectTimeoutMs: number,
  UndiciPool: new (origin: string | URL, options: object) => P,
) {
  const tls = { timeout: connectTimeoutMs };
  return {
    uri: address,
    requestTls: tls,
    proxyTls: tls,
    // The answer to CONNECT belongs to the time for a connection.
    clientFactory: (origin: URL, options: object) =>
      new UndiciPool(origin, { ...options, headersTimeout: connectTimeoutMs }),
    factory: (origin: string | URL, options: object) => {
      const { connect }: Pool.Options = options;
      return new UndiciPool(origin, {
        ...options,
        connect: endingConnector(connect),
      });
    },
  };
}

/**
 * A connector whose failures end the requests that wait for it. undici reads
 * UND_ERR_SOCKET as the end of an existing connection, and connects again without a
 * limit. A proxy that hangs up instead of opening a tunnel also fails with that code.
 * undici also connects again without a limit if bytes come before a request, as from a
 * proxy that answers CONNECT with a page of its own.
 */
function endingConnector(connector: Pool.Options["connect"]) {
  if (typeof connector !== "function") return connector;
  const reset = (message: string, cause?: Error) =>
    Object.assign(new Error(message, { cause }), { code: "ECONNRESET" });
  const ending: buildConnector.connector = (options, callback) =>
    connector(options, (...[error, socket]) => {
      if (error !== null) {
        const isSocket = "code" in error && error.code === "UND_ERR_SOCKET";
        callback(isSocket ? reset(error.message, error) : error, null);
      } else if (socket.readableLength === 0) callback(null, socket);
      else {
        socket.destroy();
        callback(reset("Bytes came before the request."), null);
      }
    });
  return ending;
}
