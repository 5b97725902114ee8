import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Context } from "../context";
import { AnswerError, MANAGEMENT_ERRORS } from "../http/answer-error";
import { operation } from "../http/operation";
import type { Surface } from "../http/surface";
import { filteringRuleOperations } from "./filtering-rules";
import {
  apiKeyOperations,
  encryptionKeyOperations,
  environmentOperations,
  webhookOperations,
} from "./kinds";

/** The version of the management API that is served (docs/contract.md, "Versions"). */
const API_VERSION = "2025-11-20";

/**
 * An older version that is known and refused: its filtering rules have another
 * form, and the two must not be mixed.
 */
const OLD_API_VERSION = "2024-05-20";

/** The management API (docs/contract.md, "Management API"). */
export function managementSurface(context: Context): Surface {
  return {
    name: "management",
    prefix: "/management",
    operations: [
      hello(),
      ...apiKeyOperations(context),
      ...encryptionKeyOperations(context),
      ...environmentOperations(context),
      ...filteringRuleOperations(context),
      ...webhookOperations(context),
    ],
    errors: [400, 401, 403, 429],
    errorFormat: MANAGEMENT_ERRORS,
    takesAnyType: true,
    takesKey: true,
    apiVersion: API_VERSION,
    guard: (request) => {
      const workspace = authenticate(request);
      if (!context.rateLimiter.take(`management ${workspace}`))
        throw new AnswerError("too_many_requests", "Too many requests.");
      checkVersion(request.headers["x-api-version"]);
    },
  };
}

/**
 * The address that the vendor's command line reports its use to (docs/assumptions.md,
 * A192). The service keeps nothing of it, and asks for no key.
 */
export function analyticsSurface(): Surface {
  return {
    name: "management",
    prefix: "/management/analytics",
    operations: [
      operation({
        name: "recordAnalytics",
        method: "POST",
        path: "/events",
        summary: "Take a report of the vendor's command line, and drop it",
        body: z.looseObject({}),
        status: 202,
        answer: z.object({}),
        run: () => ({}),
      }),
    ],
    errors: [400, 403],
    errorFormat: MANAGEMENT_ERRORS,
    takesAnyType: true,
    takesKey: false,
    guard: () => undefined,
  };
}

function authenticate({ caller }: FastifyRequest): string {
  if (caller?.kind === "management") return caller.workspace;
  throw new AnswerError(
    "unauthorized",
    caller === undefined
      ? "The header Authorization: Bearer <management key> is missing."
      : caller.kind === "unknown"
        ? "The management key is not known here."
        : `This is the ${caller.kind === "control" ? "control key" : "key of an API"}, but the management API takes a management key.`,
  );
}

function checkVersion(version: string | string[] | undefined): void {
  if (version === API_VERSION) return;
  const problem =
    version === undefined
      ? "The header X-API-Version is missing."
      : version === OLD_API_VERSION
        ? `X-API-Version ${OLD_API_VERSION} is not served here, because its filtering rules have another shape.`
        : "This X-API-Version is not known.";
  throw new AnswerError(
    "unsupported_version",
    `${problem} Send X-API-Version: ${API_VERSION}.`,
  );
}

/** `GET /hello`: docs/contract.md, "GET /hello". It shows that a key works. */
const hello = () =>
  operation({
    name: "hello",
    method: "GET",
    path: "/hello",
    summary: "Check a management key",
    answer: z.object({ data: z.object({ message: z.string() }) }),
    run: () => ({ data: { message: "Hello" } }),
  });
