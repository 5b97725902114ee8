import type { FastifyServerOptions } from "fastify";
import type { z } from "zod";
import type { Violation } from "./answer-error";
import { JsonText } from "./operation";
import { violationsOf } from "./violations";

/** Thrown to Fastify by a schema, and met again as the request's validation error. */
export class SchemaError extends Error {
  constructor(readonly violations: Violation[]) {
    super("schema violations");
  }
}

/** Checks one part of a request against its zod schema. */
function validatorFor({
  schema,
  httpPart,
}: {
  schema: unknown;
  httpPart?: string;
}): (data: unknown) => { value: unknown } | { error: Error } {
  return (data) => {
    // Every schema of a route comes from an operation, which has zod schemas only.
    const result = (schema as z.ZodType).safeParse(data ?? undefined, {
      reportInput: true,
    });
    if (result.success) return { value: result.data };
    const whole = httpPart === "body" ? "body" : "query";
    return { error: new SchemaError(violationsOf(result.error, whole)) };
  };
}

/** Writes an answer through its zod schema: what the schema does not name is not sent. JSON that is ready is. */
function serializerFor({
  schema,
}: {
  schema: unknown;
}): (data: unknown) => string {
  return (data) =>
    data instanceof JsonText
      ? data.text
      : JSON.stringify((schema as z.ZodType).encode(data));
}

/**
 * Lets zod check requests and write answers; the compilers that Fastify brings
 * are not even loaded. Their types, which this is cast to, know only JSON schema.
 */
export const ZOD_COMPILERS = {
  compilersFactory: {
    buildValidator: () => validatorFor,
    buildSerializer: () => serializerFor,
  },
} as unknown as NonNullable<FastifyServerOptions["schemaController"]>;
