import type { FastifyRequest } from "fastify";
import type { Context } from "../../context";
import { AnswerError } from "../../http/answer-error";
import { secretKeyFor } from "../../http/caller";
import type { Surface } from "../../http/surface";
import { refuseRequest } from "../event-errors";
import { LEGACY_ERRORS, VISITOR_ERRORS } from "./legacy-errors";
import { legacyOperations, legacyToken } from "./operations";

/**
 * Since when version 3 is deprecated (docs/contract.md, "Versioning and
 * dates").
 */
const DEPRECATED_MS = Date.UTC(2026, 0, 7);

/** When version 3 is switched off. */
const SUNSET_MS = Date.UTC(2027, 0, 7);

/**
 * Version 3 of the events API (docs/contract.md, "Legacy version 3"). `GET
 * /visitors` sends errors in a form of its own.
 */
export function legacySurfaces(context: Context): Surface[] {
  const shared = {
    name: "legacy",
    errors: [400, 403, 410, 429],
    refuse: refuseRequest,
    takesKey: true,
    takesAnyType: true,
    tokenOf: legacyToken,
    isDeprecated: true,
    headers: {
      // The headers of RFC 9745 and RFC 8594.
      deprecation: `@${DEPRECATED_MS / 1000}`,
      sunset: new Date(SUNSET_MS).toUTCString(),
    },
    guard: (request: FastifyRequest) => guard(request, context),
  } as const;
  const operations = legacyOperations(context);
  return Object.entries(ERRORS_BELOW).map(([below, errorFormat]) => ({
    ...shared,
    prefix: `/:region${below}`,
    errorFormat,
    operations: operations
      .filter(({ path }) => path === below || path.startsWith(`${below}/`))
      .map((one) => ({ ...one, path: one.path.slice(below.length) })),
  }));
}

/** What every path begins with, and the form of the errors there. */
const ERRORS_BELOW = {
  "/events": LEGACY_ERRORS,
  "/visitors": VISITOR_ERRORS,
  "/related-visitors": LEGACY_ERRORS,
};

function guard(request: FastifyRequest, context: Context): void {
  if (context.clock.nowMs() >= SUNSET_MS)
    throw new AnswerError(
      "version_ended",
      "Version 3 was switched off on Jan 7 2027. Use version 4, /v4/events.",
    );
  const key = secretKeyFor(request, "Auth-API-Key: <secret API key>");
  context.rateLimiter.take("legacy", key);
}
