import type { FastifyRequest } from "fastify";

/** The path of a request without its query, where a token might stand. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}
