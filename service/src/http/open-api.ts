import { REGIONS } from "@devid/sdk";
import swagger from "@fastify/swagger";
import Fastify from "fastify";
import type { OpenAPIV3_1 } from "openapi-types";
import { z } from "zod";
import type { Operation } from "./operation";
import type { Surface } from "./surface";
import { ZOD_COMPILERS } from "./zod-compilers";

const ERRORS: Readonly<Record<number, string>> = {
  400: "The request is refused; the answer names everything that is wrong.",
  401: "The bearer token is missing or not known.",
  403: "The caller may not do this.",
  404: "There is no such record.",
  409: "The state of the record does not allow it.",
  410: "This version of the API has ended.",
  413: "The body is too large.",
  415: "The Content-Type is not a media type, or the body is compressed. Any media type is taken, and the body is read as JSON.",
  429: "Too many requests.",
  500: "The service failed. A request that changes nothing can be repeated.",
  504: "The service found no answer in time. Narrow a search down before repeating it.",
};

/** What 415 means where only JSON under its own name is taken. */
const JSON_ALONE =
  "The Content-Type is not application/json, or the body is compressed.";

const ALWAYS = [500];

/**
 * Describes every operation of the surfaces as OpenAPI 3.1, from the schemas
 * that requests are checked with. A second server, which never listens, builds
 * the document, so that only a service that is asked for it pays for it.
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
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer" },
          authApiKey: { type: "apiKey", in: "header", name: "Auth-API-Key" },
        },
      },
    },
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
  const { name, summary, description, path, query, body } = operation;
  const params = paramsOf(`${surface.prefix}${path}`);
  const { errorFormat = surface.errorFormat } = operation;
  const missing = path.includes("/:") ? [404] : [];
  const unread = body ? [413, 415] : [];
  const own = operation.errors ?? [];
  const errors = [...surface.errors, ...missing, ...unread, ...own, ...ALWAYS];
  const isDeprecated = surface.isDeprecated || operation.isDeprecated;
  return {
    operationId: name,
    summary,
    ...(description && { description }),
    ...(isDeprecated && { deprecated: true }),
    tags: [surface.name],
    ...(surface.takesKey && {
      security: [{ [surface.tokenOf ? "authApiKey" : "bearer"]: [] }],
    }),
    ...(params && { params: jsonSchema(params, "input") }),
    ...(surface.apiVersion && {
      headers: jsonSchema(
        z.object({ "X-API-Version": z.literal(surface.apiVersion) }),
        "input",
      ),
    }),
    ...(query && { querystring: jsonSchema(query, "input") }),
    ...(body && { body: jsonSchema(body, "input") }),
    response: {
      [operation.status ?? 200]: successOf(operation),
      ...Object.fromEntries(
        errors.map((error) => [
          error,
          {
            ...jsonSchema(errorFormat.schema, "output"),
            description:
              error === 415 && !surface.takesAnyType
                ? JSON_ALONE
                : (ERRORS[error] ?? ""),
          },
        ]),
      ),
    },
  };
}

/**
 * The successful answer of an operation; it is JSON unless the operation names
 * another media type.
 */
function successOf({ status, answer, contentType }: Operation) {
  const description = status === 204 ? "Done." : "Success.";
  const schema = jsonSchema(answer, "output");
  return contentType
    ? { description, content: { [contentType]: { schema } } }
    : { ...schema, description };
}

/** The JSON schema of what is sent (`input`) or answered (`output`). */
function jsonSchema(schema: z.core.$ZodType, io: "input" | "output") {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { type } = zodSchema._zod.def;
      // The plugin of Fastify describes an answer of this type without a body.
      if (io === "output" && type === "undefined") jsonSchema.type = "null";
    },
  });
  return json;
}

/** The schema of the parameters in a path; undefined where there are none. */
function paramsOf(path: string): z.ZodObject | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  if (names.length === 0) return undefined;
  return z.object(
    Object.fromEntries(
      names.map((name) => [
        name,
        name === "region" ? z.enum(REGIONS) : z.string(),
      ]),
    ),
  );
}
