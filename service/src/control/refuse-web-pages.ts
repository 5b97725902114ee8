import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "@devid/sdk";
import type { FastifyRequest } from "fastify";
import { AnswerError } from "../http/answer-error";

/**
 * Hosts that stand for every address of the machine, so that any name may lead
 * to it.
 */
const WILDCARDS = ["0.0.0.0", "::"];

/**
 * Refuses a control call, or a request for the console, that a web page of
 * another site may have sent. `listensOn` is the host that the service listens
 * on (docs/assumptions.md, A104). Throws AnswerError.
 */
export function refuseWebPages(
  { method, headers }: FastifyRequest,
  listensOn: string,
): void {
  const { host = "", origin } = headers;
  // A page of any site can send a simple request, such as POST /_local/reset,
  // to this machine; the header Origin gives it away. By DNS rebinding a page
  // can call the service under the page's own name, as its own origin; the
  // header Host gives that away.
  if (
    (origin !== undefined && origin !== `http://${host}`) ||
    isOfOtherSite(method, headers)
  )
    throw new AnswerError(
      "forbidden",
      "Control calls are not taken from web pages of another origin.",
    );
  if (WILDCARDS.includes(listensOn)) return;
  const hostname = hostnameOf(host);
  if (isLoopback(hostname) || hostname === hostnameOf(bracketed(listensOn)))
    return;
  throw new AnswerError(
    "forbidden",
    "Control calls are taken under the host that the service listens on, or a loopback one, only: see the header Host.",
  );
}

/**
 * Whether a browser says that another site sent the request. Following a link
 * from there to one of our pages is allowed, for that site cannot read the
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

/**
 * The host name or address in a Host header, in the spelling of URLs; "" where
 * there is none.
 */
function hostnameOf(host: string): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : "";
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
