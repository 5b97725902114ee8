import type { FastifyServerOptions } from "fastify";
import { z } from "zod";
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
  let ofNothing: { value: unknown } | undefined;
  return (data) => {
    const isNothing = httpPart === "querystring" && isEmpty(data);
    if (isNothing && ofNothing) return ofNothing;
    // Routes get their schemas from operations, and those are all zod schemas.
    const result = (schema as z.ZodType).safeParse(data ?? undefined, {
      reportInput: true,
    });
    if (result.success) {
      const checked = { value: result.data };
      // Most requests have no query.
      if (isNothing) ofNothing = checked;
      return checked;
    }
    const whole = httpPart === "body" ? "body" : "query";
    return { error: new SchemaError(violationsOf(result.error, whole)) };
  };
}

function isEmpty(data: unknown): boolean {
  for (const _ in data as object | null) return false;
  return true;
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
      : JSON.stringify(z.encode(schema as z.core.$ZodType, data));
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
