import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { consoleRoutes } from "../console/console-routes";
import type { Context } from "../context";
import { AnswerError } from "./answer-error";
import { answerFailure } from "./answer-failure";
import { answerGarbage } from "./answer-garbage";
import { MANAGEMENT_ERRORS } from "./error-format";
import { parseJson } from "./parse-json";
import { PAGE_HEADERS } from "./page-headers";
import { pathOf } from "./path-of";
import { serveOperations } from "./serve-operations";
import { surfaceOf, type Surface } from "./surface";
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
