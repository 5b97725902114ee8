import type { AddressInfo, Socket } from "node:net";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from "fastify";
import { StartError } from "../service-errors";
import { AnswerError, MANAGEMENT_ERRORS } from "./answer-error";
import { answerFailure, answerGarbage, MAX_HEAD_BYTES } from "./answer-failure";
import { openApiDocument } from "./open-api";
import { parseJson, type JsonDone } from "./parse-json";
import { refuseOtherHosts, refuseTwoHosts } from "./refuse-other-hosts";
import { refusePath } from "./request-path";
import { serveSurface } from "./serve-surface";
import type { Surface } from "./surface";
import { watchRequests, type RequestWatch } from "./watch-requests";

/** What a server is built from. */
interface ServerDependencies {
  readonly watch: RequestWatch;
  readonly surfaces: readonly Surface[];
  /** Routes that are no operations of an API, such as the pages of the console. */
  readonly pages: FastifyPluginCallback;
  /**
   * The host that requests must name, besides loopback hosts. Without it, any host is
   * allowed.
   */
  readonly onlyHost?: string | undefined;
  readonly log: FastifyBaseLogger;
}

/** Builds the server. It takes no requests before `listen` is called. */
export function buildServer({
  watch,
  surfaces,
  pages,
  onlyHost,
  log,
}: ServerDependencies): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: {
      // Node takes no longer URL; Fastify would not find paths with parts of over 100 characters.
      maxParamLength: MAX_HEAD_BYTES,
      // The one expression, of regions, is safe; to prove it for each route takes 6 ms.
      allowUnsafeRegex: true,
    },
    schemaController: { compilersFactory: NO_COMPILERS },
    clientErrorHandler: answerGarbage,
    frameworkErrors: fail,
    rewriteUrl: routableUrl,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    // Fastify would replace bytes that are not UTF-8 before anybody saw them.
    { parseAs: "buffer" },
    (request: FastifyRequest, bytes: Buffer, done: JsonDone) => {
      // No such path: whatever the body is, the answer is 404.
      if (!request.routeOptions.config.surface) return done(null);
      refuseOtherTypes(request);
      refusePacked(request);
      parseJson(bytes, done);
    },
  );
  app.setErrorHandler(fail);
  app.setNotFoundHandler(refusePath);
  watchRequests(app, watch);
  app.addHook("onRequest", (request, _reply, next) => {
    refuseTwoHosts(request);
    if (onlyHost !== undefined) refuseOtherHosts(request, onlyHost);
    next();
  });
  // After the checks of the surface.
  app.addHook("preHandler", (request, _reply, next) => {
    refuseUnreadable(request);
    next();
  });
  closeConnectionsAtTheEnd(app);

  for (const surface of surfaces) serveSurface(app, surface);
  app.register(pages);
  serveOpenApi(app, surfaces);
  return app;
}

/**
 * Fastify's own compilers of schemas are then not even loaded. Routes have no schemas for
 * Fastify: operations are checked with zod (serve-surface.ts).
 */
const NO_COMPILERS = {
  buildValidator: () => undefined,
  buildSerializer: () => undefined,
} as unknown as NonNullable<
  FastifyServerOptions["schemaController"]
>["compilersFactory"];

/** Takes requests from now on, and answers the origin to send them to. Throws StartError. */
export function listen(
  app: FastifyInstance,
  port: number,
  host: string,
): Promise<string> {
  return bindTo(
    host,
    async () => {
      await app.listen({ port, host });
      return app.server;
    },
    port,
  );
}

/** The origin of a server after `bind`. Throws StartError. */
export async function bindTo(
  host: string,
  bind: () => Promise<{ address(): unknown }>,
  port = 0,
): Promise<string> {
  try {
    const server = await bind();
    return urlOf(server.address() as AddressInfo, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === "EADDRINUSE"
        ? `Port ${port} on ${host} is in use. Stop what uses it, or choose another port (--port; 0 picks a free one).`
        : `The service cannot listen on ${host}:${port}: ${LISTEN_PROBLEMS[code ?? ""] ?? code ?? String(error)}.`,
      { cause: error },
    );
  }
}

/** Why the system refuses an address, by its code: the end of a sentence. */
const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES:
    "this user may not use the port. Choose one above 1023 (--port; 0 picks a free one)",
  EADDRNOTAVAIL: "this machine has no such address. Choose another --host",
  EAFNOSUPPORT: "this machine has no such addresses. Choose another --host",
  EMFILE: "too many files are open (ulimit -n)",
  ENOTFOUND: "nothing has this name. Choose another --host",
};

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

/**
 * Refuses a body that is not called JSON, on a surface that a page of another site could
 * misuse: such a page may send `text/plain` without asking first. Other surfaces read any
 * body as JSON (docs/assumptions.md, A86). Throws AnswerError.
 */
function refuseOtherTypes({ headers, routeOptions }: FastifyRequest): void {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const { surface } = routeOptions.config;
  if (surface?.takesAnyType === true || type === "application/json") return;
  throw new AnswerError(
    "unsupported_media_type",
    "The body has to be sent as application/json.",
  );
}

/**
 * Refuses a compressed body, whose error would otherwise say that it is not UTF-8.
 * Throws AnswerError.
 */
function refusePacked({ headers }: FastifyRequest): void {
  const { "content-encoding": encoding = "identity" } = headers;
  if (encoding.trim().toLowerCase() === "identity") return;
  throw new AnswerError(
    "unsupported_media_type",
    "The body is compressed (header Content-Encoding). Send it uncompressed, without that header.",
  );
}

/** Answers an error in the format of the surface that the route belongs to. */
function fail(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { surface } = request.routeOptions.config;
  answerFailure(error, reply, surface?.errorFormat ?? MANAGEMENT_ERRORS);
}

/**
 * The URL for the router, which fails at a broken escape such as `%zz`. Each `%` of such a
 * path is escaped, so the request reaches its surface. There, `refuseUnreadable`
 * refuses it in the form of that surface.
 */
function routableUrl({ url = "/" }: { readonly url?: string }): string {
  if (!url.includes("%")) return url;
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}

/**
 * Refuses a URL that would be read as another one. SQLite ends a text at the character
 * U+0000, so an ID that holds one would find the record of another ID. Fastify takes a
 * value with a broken escape as it stands, so that a search would look for the escape.
 * Throws AnswerError.
 */
function refuseUnreadable({ originalUrl }: FastifyRequest): void {
  if (!originalUrl.includes("%")) return;
  if (originalUrl.includes("%00"))
    throw new AnswerError(
      "malformed_request",
      "The URL holds the character U+0000, which no record has.",
    );
  try {
    decodeURIComponent(originalUrl);
  } catch {
    throw new AnswerError(
      "malformed_request",
      "The URL holds a % that no two hexadecimal digits follow, or escapes that are not UTF-8.",
    );
  }
}

/**
 * Ends idle connections when the server closes, because they would delay its end. A
 * connection without any request, as browsers open them in advance, ends at once. Any
 * other connection ends after the answer that is under way.
 */
function closeConnectionsAtTheEnd(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  let isClosing = false;
  app.addHook("preClose", (done) => {
    isClosing = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isClosing) reply.header("connection", "close");
    done(null, payload);
  });
}

/** `GET /openapi.json`. The first request for it makes the document, to keep the start short. */
function serveOpenApi(
  app: FastifyInstance,
  surfaces: readonly Surface[],
): void {
  let document: object | undefined;
  // Tools that wait for a server send HEAD.
  app.get(
    "/openapi.json",
    { exposeHeadRoute: true },
    () => (document ??= openApiDocument(surfaces)),
  );
}
