import { parseUrl } from "@devid/sdk/errors";
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "@devid/sdk/wire";
import type { FastifyRequest } from "fastify";
import { AnswerError } from "./answer-error";

/**
 * Hosts that stand for every address of the machine, so that any name may lead
 * to it.
 */
const WILDCARDS = ["0.0.0.0", "::"];

/**
 * Refuses a request that names two hosts: by two headers `Host`, or by a target that
 * is a whole URL (`GET http://shop.example/ HTTP/1.1`) of another host than the
 * header. A proxy in front of the service could read one of the hosts, and the service
 * the other. Throws AnswerError.
 */
export function refuseTwoHosts({
  originalUrl,
  headers: { host },
  raw: { rawHeaders },
}: FastifyRequest): void {
  const names = rawHeaders.filter(
    (text, index) =>
      index % 2 === 0 && text.length === 4 && text.toLowerCase() === "host",
  );
  if (names.length > 1)
    throw new AnswerError(
      "malformed_request",
      "The request has several headers Host; send one.",
    );
  if (originalUrl.startsWith("/")) return;
  const target = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(originalUrl)?.[1];
  if (target && target.toLowerCase() !== host?.toLowerCase())
    throw new AnswerError(
      "malformed_request",
      "The target of the request is a URL of another host than the header Host.",
    );
}

/**
 * Refuses a request whose header `Host` is neither a loopback host nor
 * `listensOn`, the host that the service listens on (docs/assumptions.md,
 * A104). By DNS rebinding a web page can call the service under the page's own
 * name, and `Host` gives that away. Throws AnswerError.
 */
export function refuseOtherHosts(
  { headers: { host = "" } }: FastifyRequest,
  listensOn: string,
): void {
  if (WILDCARDS.includes(listensOn)) return;
  const hostname = hostnameOf(host);
  if (isLoopback(hostname) || hostname === hostnameOf(bracketed(listensOn)))
    return;
  throw new AnswerError(
    "forbidden",
    "The header Host must name a loopback host or the host that the service listens on, but it names another. To call the service under other names, give it a keys file (--keys FILE) and a host that other machines reach (--host).",
  );
}

/** The host name or address in a Host header, in the spelling of URLs; "" where there is none. */
const hostnameOf = (host: string): string =>
  parseUrl(`http://${host}`)?.hostname ?? "";

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Refuses a control call, or a request for the console, that a web page of
 * another site may have sent. `listensOn` is the host that the service listens
 * on (docs/assumptions.md, A104). Throws AnswerError.
 */
export function refuseWebPages(
  request: FastifyRequest,
  listensOn: string,
): void {
  const { method, headers } = request;
  const { host = "", origin } = headers;
  // A page of any site can send a simple request, such as POST /_local/reset,
  // to this machine; the header Origin gives it away.
  if (
    (origin !== undefined && !isOriginOf(host, origin)) ||
    isOfOtherSite(method, headers)
  )
    throw new AnswerError(
      "forbidden",
      "Control calls are not taken from web pages of another origin.",
    );
  refuseOtherHosts(request, listensOn);
}

/**
 * Whether a host is the one of an origin. Behind a proxy that ends TLS, the origin of a page
 * is https. The default port of the origin's scheme counts as none: a browser leaves it out,
 * and a proxy may write it.
 */
function isOriginOf(host: string, origin: string): boolean {
  const [, scheme, own] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
  if (own === undefined) return false;
  const defaultPort = scheme === "https" ? /:443$/ : /:80$/;
  return own.replace(defaultPort, "") === host.replace(defaultPort, "");
}

/**
 * Whether a browser says that another site sent the request. Following a link
 * from there to one of our pages is allowed, because that site cannot read the
 * answer.
 */
function isOfOtherSite(
  method: string,
  { "sec-fetch-site": site, "sec-fetch-mode": mode }: IncomingHttpHeaders,
): boolean {
  if (site === undefined || site === "same-origin" || site === "none")
    return false;
  return !(method === "GET" && mode === "navigate");
}
