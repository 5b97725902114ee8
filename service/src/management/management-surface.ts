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
    // Two forms of filtering rules must not be mixed.
    oldVersion: "2024-05-20",
    guard: (request) => {
      const id = authenticate(request);
      context.rateLimiter.take("management", { id });
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
      ? "Send the header Authorization: Bearer <management key>."
      : caller.kind === "unknown"
        ? "The management key is not known here."
        : `This is the ${caller.kind === "control" ? "control key" : "key of an API"}, but the management API takes a management key.`,
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
