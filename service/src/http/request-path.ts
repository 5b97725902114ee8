import { type Region, REGIONS } from "@devid/sdk/regions";
import type { FastifyRequest } from "fastify";
import { AnswerError } from "./answer-error";

/** The path of a request without its query, where a token might stand. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

/** The `:region` of a path, undefined where the route has none. One that does not exist is 404. */
export function regionOf(request: FastifyRequest): Region | undefined {
  const { region: given } = request.params as { region?: string };
  const region = REGIONS.find((known) => known === given);
  if (given === undefined || region) return region;
  throw new AnswerError(
    "not_found",
    `There is no ${request.method} ${pathOf(request)}.`,
  );
}
