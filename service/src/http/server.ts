import type { AddressInfo } from "node:net";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { consoleRoutes } from "../console/console-routes";
import type { Context } from "../context";
import { StartError } from "../service-errors";
import { AnswerError, MANAGEMENT_ERRORS } from "./answer-error";
import { answerFailure, answerGarbage } from "./answer-failure";
import { parseJson } from "./parse-json";
import { pathOf } from "./request-path";
import { PAGE_HEADERS, serveOperations } from "./serve-operations";
import { type Surface, surfaceOf } from "./surface";
import { watchRequests } from "./watch-requests";
import { ZOD_COMPILERS } from "./zod-compilers";

/** The HTTP server with all surfaces, and what ends the connections that faults hold. */
export interface Server {
  readonly app: FastifyInstance;
  readonly release: () => void;
}

/** Builds the server; it does not listen yet. */
export function buildServer(
  context: Context,
  surfaces: readonly Surface[],
  log: FastifyBaseLogger,
): Server {
  const fail = (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const surface = surfaceOf(pathOf(request), surfaces);
    answerFailure(error, reply, surface?.errorFormat ?? MANAGEMENT_ERRORS);
  };
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    schemaController: ZOD_COMPILERS,
    clientErrorHandler: answerGarbage,
    frameworkErrors: fail,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    (_request, text, done) => parseJson(String(text), done),
  );
  app.setErrorHandler(fail);
  app.setNotFoundHandler(notFound);
  const injector = watchRequests(app, context, surfaces);

  let isClosing = false;
  app.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    // Or the connection would stay open, idle, until the grace is over.
    if (isClosing) reply.header("connection", "close");
    done(null, payload);
  });

  for (const surface of surfaces)
    app.register(
      (scope, _options, done) => {
        scope.addHook("onRequest", (request, reply, next) => {
          reply.headers(surface.headers ?? {});
          if (surface.takesPages) reply.headers(PAGE_HEADERS);
          const isPreflight =
            surface.takesPages && request.method === "OPTIONS";
          if (!isPreflight) surface.guard(request);
          next();
        });
        scope.setNotFoundHandler(notFound);
        serveOperations(scope, surface);
        done();
      },
      { prefix: surface.prefix },
    );
  app.register(consoleRoutes(context));
  let document: Promise<object> | undefined;
  app.get(
    "/openapi.json",
    () =>
      // Loaded when first asked for: it would make the start noticeably longer.
      (document ??= import("./open-api.js").then(({ openApiDocument }) =>
        openApiDocument(surfaces),
      )),
  );
  return { app, release: () => injector.release() };
}

function notFound(request: FastifyRequest): never {
  throw new AnswerError(
    "not_found",
    `There is no ${request.method} ${pathOf(request)}.`,
  );
}

/** Takes requests from now on, and answers the origin to send them to. Throws StartError. */
export async function listen(
  { app }: Server,
  port: number,
  host: string,
): Promise<string> {
  try {
    await app.listen({ port, host });
    return urlOf(app.server.address() as AddressInfo, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === "EADDRINUSE"
        ? `Port ${port} on ${host} is in use. Stop what uses it, or choose another port (--port; 0 picks a free one).`
        : `The service cannot listen on ${host}:${port}: ${code ?? String(error)}.`,
      { cause: error },
    );
  }
}

function urlOf({ port }: AddressInfo, host: string): string {
  switch (host) {
    case "0.0.0.0":
      return `http://127.0.0.1:${port}`;
    case "::":
      return `http://[::1]:${port}`;
    default:
      return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }
}
