import type { Region } from "@devid/sdk";
import { issueMessage } from "@devid/sdk/wire";
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  RouteOptions,
} from "fastify";
import { z } from "zod";
import { AnswerError, invalid, type Violation } from "./answer-error";
import type { Caller } from "./caller";
import { type Call, JsonText, type Operation } from "./operation";
import { pathOf, refusePath, regionOf } from "./request-path";
import { pathPattern, routePath, type Surface } from "./surface";
import { violationsOf } from "./violations";

type RouteConfig = Pick<FastifyContextConfig, "surface">;

/**
 * Adds a surface to the server: its operations, 405 for the other methods of
 * their paths, 404 for the other paths below its prefix, and answers to the
 * preflight requests of browsers where web pages may call.
 */
export function serveSurface(app: FastifyInstance, surface: Surface): void {
  const config: RouteConfig = { surface };
  const { operations } = surface;
  const otherMethod = otherMethodHook(surface);
  app.register(
    (scope, _options, done) => {
      scope.addHook("onRequest", (request, reply, next) => {
        reply.headers(surface.headers ?? {});
        const isPreflight = surface.takesPages && request.method === "OPTIONS";
        if (!isPreflight) {
          surface.guard(request);
          checkVersion(request, surface);
        }
        next();
      });
      scope.addHook("onRequest", otherMethod);
      for (const operation of operations) {
        const { errorFormat = surface.errorFormat } = operation;
        scope.route(routeOf(operation, { ...surface, errorFormat }));
      }
      for (const url of ["", "/*"])
        scope.route({
          method: (scope.supportedMethods as HTTPMethods[]).filter(
            (method) =>
              !operations.some(
                (own) => own.path === url && own.method === method,
              ),
          ),
          url,
          config,
          // Before the body is read: whatever it is, the answer is 404.
          onRequest: refusePath,
          handler: refusePath,
        });
      done();
    },
    { prefix: routePath(surface.prefix) },
  );
}

/**
 * Answers a request whose method the path does not have: the preflight of a page, or 405.
 * A route for each such path and method would be 500 routes, a tenth of the start.
 */
function otherMethodHook({ operations, prefix, takesPages }: Surface) {
  const methodsOf = new Map<string, HTTPMethods[]>();
  for (const { path, method } of operations)
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
  // The path with the fewest parameters first: `/events/search` is no event of the ID `search`.
  const byPath = [...methodsOf]
    .sort(([a], [b]) => a.split(":").length - b.split(":").length)
    .map(([path, methods]) => ({ at: pathPattern(prefix + path), methods }));
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    next: (error?: Error) => void,
  ): void => {
    const { method } = request;
    const path = pathOf(request);
    const methods = byPath.find(({ at }) => at.test(path))?.methods;
    if (!methods || methods.includes(method)) return next();
    if (takesPages && method === "OPTIONS") {
      reply.code(204).headers(preflightHeaders(methods)).send();
      return;
    }
    const allowed = methods.join(", ");
    reply.header("allow", allowed);
    next(
      new AnswerError(
        "method_not_allowed",
        `${method} is not possible here, only ${allowed}.`,
      ),
    );
  };
}

/** Refuses a missing or unknown version (docs/assumptions.md, A3 and A68). Throws AnswerError. */
function checkVersion(
  { headers: { "x-api-version": version } }: FastifyRequest,
  { apiVersion, oldVersion }: Surface,
): void {
  if (apiVersion === undefined || version === apiVersion) return;
  const problem =
    version === undefined
      ? "The header X-API-Version is missing."
      : version === oldVersion
        ? `X-API-Version ${version} is not served here, because its filtering rules have another shape.`
        : "This X-API-Version is not known.";
  throw new AnswerError(
    "unsupported_version",
    `${problem} Send X-API-Version: ${apiVersion}.`,
  );
}

/** Lets a web page of any origin send JSON by these methods. A browser remembers it for a day. */
function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "content-type",
    // A browser asks for this when a page of the public network calls this machine.
    "access-control-allow-private-network": "true",
    "access-control-max-age": "86400",
  };
}

function routeOf(operation: Operation, surface: Surface): RouteOptions {
  const { method, path, query, body, bodyLimit } = operation;
  const { status = 200, check = () => [] } = operation;
  const { refuse = surface.refuse ?? invalid } = operation;
  return {
    method,
    url: routePath(path),
    config: { surface },
    ...(bodyLimit !== undefined && { bodyLimit }),
    handler: async (request, reply) => {
      const found: Violation[] = [];
      const call = new ReceivedCall(
        request,
        checked(query, request.query, "query", found),
        checked(body, request.body, "body", found),
      );
      // Only promises are awaited, because each wait costs a turn of the event loop.
      const slow = operation.slowCheck && (await operation.slowCheck(call));
      const violations = [...found, ...check(call), ...(slow ?? [])];
      if (violations.length > 0) throw refuse(violations);
      const answered = operation.run(call);
      const result: unknown =
        answered instanceof Promise ? await answered : answered;
      reply.code(status);
      if (status === 204 || result === undefined) return reply.send();
      return reply
        .type(operation.contentType ?? "application/json; charset=utf-8")
        .send(textOf(operation, result));
    },
  };
}

/**
 * A part of a request as its schema reads it. What the schema refuses is returned as it
 * came, and its violations are added to `found`.
 */
function checked(
  schema: z.ZodType | undefined,
  given: unknown,
  whole: "query" | "body",
  found: Violation[],
): unknown {
  if (!schema) return given;
  const read = schema.safeParse(given ?? undefined, {
    reportInput: true,
    error: issueMessage,
  });
  if (read.success) return read.data;
  found.push(...violationsOf(read.error, whole));
  return given;
}

/**
 * An answer as text. JSON is written through the schema of the answer, which drops
 * members that it does not name.
 */
function textOf({ contentType, answer }: Operation, result: unknown): string {
  if (result instanceof JsonText) return result.text;
  const value = answer && z.encode(answer, result);
  // An answer of another media type is a text.
  return contentType === undefined ? JSON.stringify(value) : String(value);
}

/**
 * A request as operations see it. `signal` is made when it is first asked for. It is a
 * getter of the class, because V8 keeps an object literal with a getter, and with it the
 * request, until the whole heap is collected.
 */
class ReceivedCall implements Call {
  readonly workspace: Region;
  readonly caller: Caller | undefined;
  readonly id: string;
  readonly rawHeaders: readonly string[];
  readonly ip: string;

  constructor(
    private readonly request: FastifyRequest,
    readonly query: unknown,
    readonly body: unknown,
  ) {
    const { caller, raw, ip } = request;
    const { region: _, ...own } = request.params as Record<string, string>;
    const [id = ""] = Object.values(own);
    this.workspace =
      regionOf(request) ??
      (caller && "workspace" in caller ? caller.workspace : "us");
    this.caller = caller;
    this.id = id;
    this.rawHeaders = raw.rawHeaders;
    this.ip = ip;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }
}
