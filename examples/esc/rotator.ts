import { createHash } from "node:crypto";
import { isDevidError, type Client } from "@devid/sdk";
import { fastify, type FastifyError, type FastifyInstance } from "fastify";
import { errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import { rotate, type RotationState } from "./rotation";

/** The ESC environment and the issuer that the rotator trusts. */
export interface RotatorOptions {
  readonly client: Client;
  /**
   * The address of the rotator in the ESC environment. Every token must have it as its
   * audience.
   */
  readonly address: string;
  /** The issuer of the tokens, and the keys that sign the tokens. */
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  /** The one ESC environment that may rotate, such as `acme/prod`. */
  readonly environment: string;
}

/** The body of a request of `fn::rotate::external`. */
interface RotationRequest {
  readonly request: { readonly name: string };
  readonly state: RotationState | null;
}

/** A request is refused because its token or body is wrong. */
class RefusedError extends Error {
  readonly statusCode = 401;
}

const KEY = { id: { type: "string" }, token: { type: "string" } };

/** The schema of the body. It also checks the part that the environment's author wrote. */
const BODY = {
  type: "object",
  required: ["request", "state"],
  properties: {
    request: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string", minLength: 3, maxLength: 40 } },
    },
    state: {
      type: ["object", "null"],
      required: ["generation", "id", "token"],
      properties: {
        generation: { type: "integer", minimum: 1 },
        ...KEY,
        previous: {
          type: "object",
          required: ["id", "token"],
          properties: KEY,
        },
      },
    },
  },
};

/**
 * The service that rotates a key when ESC asks for it. A proxy in front of the service
 * ends TLS.
 */
export function rotatorApp(options: RotatorOptions): FastifyInstance {
  const app = fastify();
  /** Used tokens by ID, until they expire. Each token is valid for one request. */
  const used = new Map<string, number>();

  // The hash in a token is the hash of the sent bytes, so the body is not parsed before
  // the check.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (
      { headers }: { headers: { authorization?: string } },
      body: Buffer,
    ) => {
      await believe(headers.authorization, body, options, used);
      return JSON.parse(body.toString()) as unknown;
    },
  );

  app.post<{ Body: RotationRequest }>(
    "/rotate",
    { schema: { body: BODY } },
    ({ body }) => rotate(options.client, body.request.name, body.state),
  );

  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const { statusCode = 502, message } = error;
    // Messages of the client hold no key. Messages of other errors may.
    if (isDevidError(error)) return reply.code(502).send({ message });
    const text = statusCode < 500 ? message : "The rotation failed.";
    return reply.code(statusCode).send({ message: text });
  });
  return app;
}

/**
 * @throws RefusedError if the request is not exactly what ESC sent for the one
 * environment
 */
async function believe(
  authorization: string | undefined,
  body: Buffer,
  { keys, issuer, address, environment }: RotatorOptions,
  used: Map<string, number>,
): Promise<void> {
  const token = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
  if (token === undefined) throw new RefusedError("The request has no token.");
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: address,
    algorithms: ["RS256"],
    requiredClaims: ["exp", "jti", "body_hash", "current_env"],
  }).catch((error: unknown) => {
    // If the keys cannot be fetched, the error is no JOSEError and no wrong token.
    if (error instanceof errors.JOSEError)
      throw new RefusedError(`The token is refused: ${error.message}.`);
    throw error;
  });
  const hash = createHash("sha256").update(body).digest("base64");
  if (payload.body_hash !== `sha256-${hash}`)
    throw new RefusedError("The token is for another body.");
  if (payload.current_env !== environment)
    throw new RefusedError(
      `The token is of ${String(payload.current_env)}, and only ${environment} may rotate.`,
    );
  const now = Date.now() / 1000;
  for (const [id, expires] of used) if (expires < now) used.delete(id);
  if (used.has(String(payload.jti)))
    throw new RefusedError("The token was used before.");
  used.set(String(payload.jti), payload.exp ?? now);
}
