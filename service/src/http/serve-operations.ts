import type { FastifyInstance, FastifyRequest, HTTPMethods, RouteOptions } from "fastify";
import { AnswerError, invalid, type Violation } from "./answer-error";
import type { Call, Operation } from "./operation";
import { regionOf } from "./request-path";
import type { Surface } from "./surface";
import { SchemaError } from "./zod-compilers";

/** Lets a page of any origin read an answer. */
export const PAGE_HEADERS = { "access-control-allow-origin": "*" };

/** Lets a page of any origin send JSON by these methods; browsers ask again after a day. */
export function preflightHeaders(
  methods: readonly string[],
): Record<string, string> {
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "content-type",
    // Asked for by browsers when a public page calls this machine.
    "access-control-allow-private-network": "true",
    "access-control-max-age": "86400",
  };
}

const METHODS: readonly HTTPMethods[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
];

/**
 * Adds a surface's operations to the router, and 405 for the other methods of
 * their paths; preflights of pages are answered where these may call.
 */
export function serveOperations(
  scope: FastifyInstance,
  surface: Surface,
): void {
  const methodsOf = new Map<string, HTTPMethods[]>();
  for (const operation of surface.operations) {
    scope.route(routeOf(operation));
    const methods = methodsOf.get(operation.path) ?? [];
    methodsOf.set(operation.path, [...methods, operation.method]);
  }
  for (const [path, methods] of methodsOf) {
    if (surface.takesPages)
      scope.options(path, (_request, reply) =>
        reply.code(204).headers(preflightHeaders(methods)).send(),
      );
    scope.route({
      method: METHODS.filter((method) => !methods.includes(method)),
      url: path,
      onRequest: async (request, reply) => {
        reply.header("allow", methods.join(", "));
        throw new AnswerError(
          "method_not_allowed",
          `${request.method} is not possible here, only ${methods.join(", ")}.`,
        );
      },
      handler: () => undefined,
    });
  }
}

function routeOf(operation: Operation): RouteOptions {
  const { method, path, query, body, bodyLimit, status, answer } = operation;
  const { check = () => [], refuse = invalid } = operation;
  return {
    method,
    url: path,
    schema: {
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(status !== 204 && { response: { [status]: answer } }),
    },
    attachValidation: true,
    ...(bodyLimit !== undefined && { bodyLimit }),
    handler: async (request, reply) => {
      refuseNul(request);
      const loaded = await operation.load?.();
      const call = callOf(request);
      const violations = [
        ...schemaViolations(request.validationError),
        ...check(call, loaded),
      ];
      if (violations.length > 0) throw refuse(violations);
      const result = await operation.run(call, loaded);
      if (operation.contentType) reply.type(operation.contentType);
      return reply.code(status).send(status === 204 ? undefined : result);
    },
  };
}

/** SQLite ends texts at U+0000: an ID with one would find the record of another. */
function refuseNul({ url }: FastifyRequest): void {
  if (url.includes("%00"))
    throw new AnswerError(
      "malformed_request",
      "The URL holds the character U+0000, which no record has.",
    );
}

function callOf(request: FastifyRequest): Call<unknown, unknown> {
  const { caller, query, body } = request;
  const { region: _, ...own } = request.params as Record<string, string>;
  const [id = ""] = Object.values(own);
  const workspace =
    regionOf(request) ??
    (caller && "workspace" in caller ? caller.workspace : "us");
  return {
    workspace,
    caller,
    id,
    query,
    body,
    rawHeaders: request.raw.rawHeaders,
    ip: request.ip,
    get signal() {
      return request.signal;
    },
  };
}

function schemaViolations(error: unknown): Violation[] {
  if (error === undefined || error === null) return [];
  if (error instanceof SchemaError) return error.violations;
  throw new Error("A schema failed.", { cause: error });
}
