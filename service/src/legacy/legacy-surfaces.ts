import type { FastifyRequest } from "fastify";
import type { Context } from "../context";
import { authenticate } from "../events/authenticate";
import { AnswerError } from "../http/answer-error";
import { regionOf } from "../http/region-of";
import type { Surface } from "../http/surface";
import { legacyToken } from "./credentials";
import { eventOperations } from "./event-operations";
import { LEGACY_ERRORS, VISITOR_ERRORS } from "./legacy-errors";
import { visitorOperation } from "./visitor-operation";

/** Version 3 is deprecated since then (docs/contract.md, "Versioning and dates"). */
const DEPRECATED_MS = Date.UTC(2026, 0, 7);

/** From then on it is switched off. */
const SUNSET_MS = Date.UTC(2027, 0, 7);

/** Version 3 of the events API (docs/contract.md, "Legacy version 3"); its two parts tell errors differently. */
export function legacySurfaces(context: Context): Surface[] {
  const shared = {
    name: "legacy",
    errors: [400, 403, 410, 429],
    takesKey: true,
    tokenOf: legacyToken,
    headers: {
      // RFC 9745 and RFC 8594.
      deprecation: `@${DEPRECATED_MS / 1000}`,
      sunset: new Date(SUNSET_MS).toUTCString(),
    },
    guard: (request: FastifyRequest) => guard(request, context),
  } as const;
  return [
    {
      ...shared,
      prefix: "/:region/events",
      operations: eventOperations(context),
      errorFormat: LEGACY_ERRORS,
    },
    {
      ...shared,
      prefix: "/:region/visitors",
      operations: [visitorOperation(context)],
      errorFormat: VISITOR_ERRORS,
    },
  ];
}

function guard(request: FastifyRequest, context: Context): void {
  // What is in no region is not there, with or without a key.
  regionOf(request);
  if (context.clock.nowMs() >= SUNSET_MS)
    throw new AnswerError(
      "version_ended",
      "Version 3 was switched off on Jan 7 2027. Use version 4, /v4/events.",
    );
  const { id } = authenticate(request, "Auth-API-Key: <secret API key>");
  if (!context.rateLimiter.take(`legacy ${id}`))
    throw new AnswerError("too_many_requests", "Too many requests.");
}
