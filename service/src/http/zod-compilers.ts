import type { FastifyServerOptions } from "fastify";
import type { z } from "zod";
import type { Violation } from "./answer-error";
import { JsonText } from "./operation";
import { violationsOf } from "./violations";

/**
 * The error that a schema hands to Fastify, which attaches it to the request as
 * its validation error.
 */
export class SchemaError extends Error {
  constructor(readonly violations: Violation[]) {
    super("schema violations");
  }
}

/**
 * Makes the function that checks one part of a request against its zod schema.
 */
function validatorFor({
  schema,
  httpPart,
}: {
  schema: unknown;
  httpPart?: string;
}): (data: unknown) => { value: unknown } | { error: Error } {
  return (data) => {
    // Routes get their schemas from operations, and those are all zod schemas.
    const result = (schema as z.ZodType).safeParse(data ?? undefined, {
      reportInput: true,
    });
    if (result.success) return { value: result.data };
    const whole = httpPart === "body" ? "body" : "query";
    return { error: new SchemaError(violationsOf(result.error, whole)) };
  };
}

/**
 * Makes the function that writes an answer through its zod schema, which drops
 * members that the schema does not name. An answer that is JSON text already is
 * sent as it is.
 */
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
 * Makes Fastify check requests and write answers with zod. Fastify's own
 * compilers are then not even loaded. The cast is needed because Fastify's
 * types know only JSON schema.
 */
export const ZOD_COMPILERS = {
  compilersFactory: {
    buildValidator: () => validatorFor,
    buildSerializer: () => serializerFor,
  },
} as unknown as NonNullable<FastifyServerOptions["schemaController"]>;
