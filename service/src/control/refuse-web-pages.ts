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
    (origin !== undefined && hostOf(origin) !== host) ||
    isOfOtherSite(method, headers)
  )
    throw new AnswerError(
      "forbidden",
      "Control calls are not taken from web pages of another origin.",
    );
  refuseOtherHosts(request, listensOn);
}

/** The host of an origin. Behind a proxy that ends TLS, the origin of a page is https. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/(.*)$/.exec(origin)?.[1];
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
