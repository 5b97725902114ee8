import type { LegacyErrorCode } from "@devid/sdk/wire";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Context } from "../../context";
import {
  AnswerError,
  type ErrorCode,
  type ErrorFormat,
} from "../../http/answer-error";
import type { Surface } from "../../http/surface";
import { ownRateOf } from "../../store/records";
import { authenticate } from "../authenticate";
import { refuseRequest } from "../event-errors";
import { serveServerOperation } from "../serve-server-operation";
import { requestDeletion } from "../visitor-deletion";
import {
  KEY_PARAMETERS,
  legacyEventOperations,
  legacyToken,
  relatedVisitorsOperation,
  visitorOperation,
} from "./operations";

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
    tokenOf: legacyToken,
    isDeprecated: true,
    headers: {
      // The headers of RFC 9745 and RFC 8594.
      deprecation: `@${DEPRECATED_MS / 1000}`,
      sunset: new Date(SUNSET_MS).toUTCString(),
    },
    guard: (request: FastifyRequest) => guard(request, context),
  } as const;
  return [
    {
      ...shared,
      prefix: "/:region/events",
      operations: legacyEventOperations(context),
      errorFormat: LEGACY_ERRORS,
      takesAnyType: true,
    },
    {
      ...shared,
      prefix: "/:region/visitors",
      operations: [
        visitorOperation(context),
        serveServerOperation(
          "deleteLegacyVisitorData",
          (call) => requestDeletion(context, call),
          {
            below: "/visitors",
            ignored: KEY_PARAMETERS,
            errorFormat: LEGACY_ERRORS,
          },
        ),
      ],
      errorFormat: VISITOR_ERRORS,
      takesAnyType: true,
    },
    {
      ...shared,
      prefix: "/:region/related-visitors",
      operations: [relatedVisitorsOperation(context)],
      errorFormat: LEGACY_ERRORS,
      takesAnyType: true,
    },
  ];
}

function guard(request: FastifyRequest, context: Context): void {
  if (context.clock.nowMs() >= SUNSET_MS)
    throw new AnswerError(
      "version_ended",
      "Version 3 was switched off on Jan 7 2027. Use version 4, /v4/events.",
    );
  const key = authenticate(request, "Auth-API-Key: <secret API key>");
  if (!context.rateLimiter.take(`legacy ${key.id}`, ownRateOf(key)))
    throw new AnswerError("too_many_requests", "Too many requests.");
}

/** The codes of version 3 for those of version 4 (docs/assumptions.md, A66). */
const CODES: Partial<Record<ErrorCode, LegacyErrorCode>> = {
  secret_api_key_required: "TokenRequired",
  secret_api_key_not_found: "TokenNotFound",
  wrong_region: "WrongRegion",
  feature_not_enabled: "FeatureNotEnabled",
  workspace_key_required: "WorkspaceScopedSecretKeyRequired",
  event_not_found: "RequestNotFound",
  visitor_not_found: "VisitorNotFound",
  not_found: "RequestNotFound",
  state_not_ready: "StateNotReady",
  too_many_requests: "TooManyRequests",
  quota_used_up: "TooManyRequests",
  version_ended: "Failed",
};

/**
 * Clients of version 3 read from a refusal with 429 how many seconds to wait
 * (docs/assumptions.md, A66). At the default rate, a key may call again within
 * one.
 */
const headersOf = ({ code }: AnswerError): Record<string, string> =>
  code === "too_many_requests" ? { "retry-after": "1" } : {};

/** `{error: {code, message}}` with the codes of version 3 (docs/contract.md, "Legacy operations"). */
const LEGACY_ERRORS: ErrorFormat = {
  schema: z.object({
    error: z.object({ code: z.string(), message: z.string() }),
  }),
  bodyOf: (error) => ({
    error: { code: codeOf(error), message: error.message },
  }),
  headersOf,
};

/** `{error: text}`, the form of errors of `GET /visitors`. */
const VISITOR_ERRORS: ErrorFormat = {
  schema: z.object({ error: z.string() }),
  bodyOf: ({ message }) => ({ error: message }),
  headersOf,
};

function codeOf({ code, status }: AnswerError): LegacyErrorCode {
  return CODES[code] ?? (status < 500 ? "RequestCannotBeParsed" : "Failed");
}
