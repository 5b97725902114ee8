import swagger from "@fastify/swagger";
import Fastify from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { ErrorBody } from "@devid/sdk/management/wire";
import { z } from "zod";
import type { Operation } from "./operation";
import type { Surface } from "./surface";
import { ZOD_COMPILERS } from "./zod-compilers";

const ERRORS: Readonly<Record<number, string>> = {
  400: "The request is refused; violations name every property that is wrong.",
  401: "The bearer token is missing or not known.",
  403: "The call may come from a web page.",
  404: "There is no such record.",
  409: "The state of the record does not allow it.",
  413: "The body is too large.",
  415: "The body is not application/json.",
  429: "Too many requests.",
};

/**
 * Describes every operation of the surfaces as OpenAPI 3.1, from the schemas
 * that requests are checked with. Built on a server that never listens, so
 * that a service which is never asked pays nothing for it.
 */
export async function openApiDocument(
  surfaces: readonly Surface[],
): Promise<OpenAPIV3_1.Document> {
  const version =
    surfaces.find(({ apiVersion }) => apiVersion)?.apiVersion ?? "";
  const app = Fastify({
    exposeHeadRoutes: false,
    schemaController: ZOD_COMPILERS,
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "The local service of devid", version },
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      },
    },
    transform: jsonSchemaTransform,
  });
  for (const surface of surfaces)
    for (const operation of surface.operations)
      app.route({
        method: operation.method,
        url: `${surface.prefix}${operation.path}`,
        schema: schemaOf(surface, operation),
        handler: () => undefined,
      });
  await app.ready();
  const document = app.swagger() as OpenAPIV3_1.Document;
  await app.close();
  return document;
}

function schemaOf(surface: Surface, operation: Operation) {
  const { name, summary, description, path, query, body, status } = operation;
  const missing = path.includes(":id") ? [404] : [];
  const unread = body ? [413, 415] : [];
  const own = operation.errors ?? [];
  const errors = [...surface.errors, ...missing, ...unread, ...own];
  return {
    operationId: name,
    summary,
    ...(description && { description }),
    tags: [surface.name],
    ...(surface.errors.includes(401) && { security: [{ bearer: [] }] }),
    ...(path.includes(":id") && { params: z.object({ id: z.string() }) }),
    ...(surface.apiVersion && {
      headers: z.object({ "X-API-Version": z.literal(surface.apiVersion) }),
    }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: {
      [status]: operation.answer.describe(
        status === 204 ? "Done." : "Success.",
      ),
      ...Object.fromEntries(
        errors.map((error) => [error, ErrorBody.describe(ERRORS[error] ?? "")]),
      ),
    },
  };
}
