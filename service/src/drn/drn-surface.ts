import { DRN_API_VERSION } from "@devid/sdk/wire";
import type { FastifyRequest } from "fastify";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import { secretKeyOf } from "../http/secret-key-of";
import type { Surface } from "../http/surface";
import { DRN_ERRORS } from "./drn-errors";
import { reputationOperation } from "./reputation-operation";

/** The DRN API (docs/contract.md, "Device reputation (DRN) API"): one for all regions. */
export function drnSurface(context: Context): Surface {
  return {
    name: "drn",
    prefix: "/drn",
    operations: [reputationOperation(context)],
    errors: [400, 401, 429],
    errorFormat: DRN_ERRORS,
    takesKey: true,
    apiVersion: DRN_API_VERSION,
    guard: (request) => {
      const id = authenticate(request);
      if (!context.rateLimiter.take(`drn ${id}`))
        throw new AnswerError("too_many_requests", "Too many requests.");
      checkVersion(request.headers["x-api-version"]);
    },
  };
}

function authenticate({ caller }: FastifyRequest): string {
  const key = secretKeyOf(caller);
  if (key) return key.id;
  throw new AnswerError(
    "secret_key_not_found",
    caller === undefined
      ? "The header Authorization: Bearer <secret API key> is missing."
      : "This is not an enabled secret API key.",
  );
}

/** A version that is missing or not known is refused (docs/assumptions.md, A68). */
function checkVersion(version: string | string[] | undefined): void {
  if (version === DRN_API_VERSION) return;
  throw new AnswerError(
    "invalid_api_version",
    `${version === undefined ? "The header X-API-Version is missing." : "This X-API-Version is not known."} Send X-API-Version: ${DRN_API_VERSION}.`,
  );
}
