import { REGIONS } from "@devid/sdk/wire";
import { z } from "zod";
import type { Operation } from "./operation";
import type { Surface } from "./surface";

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

/** Describes every operation of the surfaces as OpenAPI 3.1, from the schemas that requests are checked with. */
export function openApiDocument(surfaces: readonly Surface[]): object {
  const version =
    surfaces.find(({ apiVersion }) => apiVersion)?.apiVersion ?? "";
  const paths: Record<string, Record<string, object>> = {};
  for (const surface of surfaces)
    for (const operation of surface.operations) {
      const path = `${surface.prefix}${operation.path}`;
      const methods = (paths[path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
      methods[operation.method.toLowerCase()] = described(surface, operation);
    }
  return {
    openapi: "3.1.0",
    info: { title: "The local service of devid", version },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        authApiKey: { type: "apiKey", in: "header", name: "Auth-API-Key" },
      },
    },
    paths,
  };
}

function described(surface: Surface, operation: Operation): object {
  const { name, summary, description, path, query, body } = operation;
  const { errorFormat = surface.errorFormat, status = 200 } = operation;
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
    parameters: [
      ...parameters("path", paramsOf(`${surface.prefix}${path}`)),
      ...parameters(
        "header",
        z.object(
          surface.apiVersion
            ? { "X-API-Version": z.literal(surface.apiVersion) }
            : {},
        ),
      ),
      ...parameters("query", query ?? z.object({})),
    ],
    ...(body && {
      requestBody: {
        required: !z.safeParse(body, undefined).success,
        content: { "application/json": { schema: jsonSchema(body, "input") } },
      },
    }),
    responses: {
      [status]: successOf(operation),
      ...Object.fromEntries(
        errors.map((error) => [
          error,
          {
            description:
              error === 415 && !surface.takesAnyType
                ? JSON_ALONE
                : (ERRORS[error] ?? ""),
            content: {
              "application/json": {
                schema: jsonSchema(errorFormat.schema, "output"),
              },
            },
          },
        ]),
      ),
    },
  };
}

/** The members of an object as parameters in a place of the request. */
function parameters(
  place: "path" | "header" | "query",
  members: z.ZodType,
): object[] {
  const { properties = {}, required = [] } = jsonSchema(members, "input");
  return Object.entries(properties as Record<string, object>).map(
    ([name, schema]) => {
      const { description, ...rest } = schema as { description?: string };
      return {
        name,
        in: place,
        required: required.includes(name),
        ...(description !== undefined && { description }),
        schema: rest,
      };
    },
  );
}

/**
 * The successful answer of an operation; it is JSON unless the operation names
 * another media type.
 */
function successOf({ status, answer, contentType }: Operation): object {
  if (status === 204) return { description: "Done." };
  if (!answer) return { description: "Success." };
  const schema = jsonSchema(answer, "output");
  const content = { [contentType ?? "application/json"]: { schema } };
  return { description: "Success.", content };
}

/** The JSON schema of what is sent (`input`) or answered (`output`). */
function jsonSchema(schema: z.core.$ZodType, io: "input" | "output") {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
  });
  return json;
}

/** The parameters in a path. */
function paramsOf(path: string): z.ZodObject {
  return z.object(
    Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [
        name,
        name === "region" ? z.enum(REGIONS) : z.string(),
      ]),
    ),
  );
}
