import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import { AnswerError } from "../http/answer-error";
import { refuseOtherHosts } from "../http/refuse-other-hosts";

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
