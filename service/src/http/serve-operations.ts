import type { Region } from "@devid/sdk/regions";
import type {
  FastifyInstance,
  FastifyRequest,
  HTTPMethods,
  RouteOptions,
} from "fastify";
import { AnswerError, invalid, type Violation } from "./answer-error";
import type { Operation } from "./operation";
import type { Surface } from "./surface";
import { SchemaError } from "./zod-compilers";

const METHODS: readonly HTTPMethods[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
];

/** Adds a surface's operations to the router, and 405 for the other methods of their paths. */
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
  for (const [path, methods] of methodsOf)
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

function routeOf(operation: Operation): RouteOptions {
  const { method, path, query, body, status, answer } = operation;
  return {
    method,
    url: path,
    schema: {
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(status !== 204 && { response: { [status]: answer } }),
    },
    attachValidation: true,
    handler: async (request, reply) => {
      const loaded = await operation.load?.();
      const call = {
        workspace: workspaceOf(request),
        id: (request.params as { id?: string }).id ?? "",
        query: request.query,
        body: request.body,
      };
      const violations = [
        ...schemaViolations(request.validationError),
        ...(operation.check?.(call, loaded) ?? []),
      ];
      if (violations.length > 0) throw invalid(violations);
      const result = operation.run(call, loaded);
      return reply.code(status).send(status === 204 ? undefined : result);
    },
  };
}

function workspaceOf({ caller, params }: FastifyRequest): Region {
  if (caller && "workspace" in caller) return caller.workspace;
  return (params as { region?: Region }).region ?? "us";
}

function schemaViolations(error: unknown): Violation[] {
  if (error === undefined || error === null) return [];
  if (error instanceof SchemaError) return error.violations;
  throw new Error("A schema failed.", { cause: error });
}
