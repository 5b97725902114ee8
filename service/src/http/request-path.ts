import { type Region, REGIONS } from "@devid/sdk/wire";
import type { FastifyRequest } from "fastify";
import { AnswerError } from "./answer-error";

/**
 * The path of a request without its query, which might hold a key. Escapes that
 * a path does not need are undone, because the router undoes them too:
 * `/%6danagement` and `/management` are the same path.
 */
export function pathOf(request: FastifyRequest): string {
  const { originalUrl } = request;
  if (/^\/[^?%]*$/.test(originalUrl)) return originalUrl;
  const [target = ""] = originalUrl.split("?", 1);
  const path = target.startsWith("/")
    ? target
    : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "") || "/";
  return path.includes("%")
    ? path.replace(UNNEEDED_ESCAPE, decodeURIComponent)
    : path;
}

/** The escape of a letter, a digit, `-`, `.`, `_` or `~`. */
const UNNEEDED_ESCAPE = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** The `:region` of a path; undefined where the route has none. */
export function regionOf(request: FastifyRequest): Region | undefined {
  const { region: given } = request.params as { readonly region?: string };
  return REGIONS.find((region) => region === given);
}

/** Refuses a request that no route serves. */
export function refusePath(request: FastifyRequest): never {
  throw new AnswerError(
    "not_found",
    `There is no ${request.method} ${pathOf(request)}.`,
  );
}
