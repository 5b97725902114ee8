import { type Region, REGIONS } from "@devid/sdk";
import type { FastifyRequest } from "fastify";
import { AnswerError } from "./answer-error";

/** The path of a request without its query, which might hold a key. */
export function pathOf(request: FastifyRequest): string {
  return request.originalUrl.split("?", 1)[0] ?? "";
}

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
