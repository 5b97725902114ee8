import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock";
import type { ServiceKeys } from "../keys";
import type { Store } from "../store/store";
import { VisitorEraser } from "../visitor-eraser";
import { bearerToken, callerOf, type Caller } from "./caller";
import { FaultInjector, type Fault, type Faults } from "./faults";
import { pathOf } from "./request-path";
import type { LoggedRequest, RequestLog } from "./request-log";
import { PAGE_HEADERS, SURFACES } from "./surface";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls; undefined without a key. */
    caller: Caller | undefined;
    /** The fault that is to act on the answer. */
    faultAfter: Fault | undefined;
    /** The request's entry in the request log; undefined for a request that is not logged. */
    logged: LoggedRequest | undefined;
  }
}

/** The parts of a service that see every request. */
export interface RequestWatch {
  readonly keys: ServiceKeys;
  readonly clock: Clock;
  readonly store: Store;
  readonly requestLog: RequestLog;
  readonly faults: Faults;
}

/**
 * Finds the caller of every request, writes the request to the request log and
 * to the service's log, and lets faults act on it. Requests of surfaces that
 * `SURFACES` does not name only reach the service's log. Call `release()` of
 * the result to end the connections and delays that faults hold.
 */
export function watchRequests(
  app: FastifyInstance,
  { keys, clock, store, requestLog, faults }: RequestWatch,
): FaultInjector {
  const injector = new FaultInjector();
  app.decorateRequest("caller", undefined);
  app.decorateRequest("faultAfter", undefined);
  app.decorateRequest("logged", undefined);

  const eraser = new VisitorEraser(store, clock);
  app.addHook("onClose", (_app, done) => {
    eraser.stop();
    done();
  });

  app.addHook("onRequest", (request, reply, next) => {
    eraser.eraseDue();
    const { method } = request;
    const path = pathOf(request);
    const {
      name = "other",
      takesPages = false,
      tokenOf = bearerToken,
    } = request.routeOptions.config.surface ?? {};
    // Before the fault: a page has to be able to read an injected answer, too.
    if (takesPages) reply.headers(PAGE_HEADERS);
    const token = tokenOf(request);
    request.caller =
      token === undefined ? undefined : callerOf(token, keys, store);
    const surface = SURFACES.find((known) => known === name);
    if (surface === undefined) return next();
    request.logged = requestLog.add({
      method,
      path,
      surface,
      key: request.caller?.name ?? null,
      at: clock.now(),
    });
    const fault = faults.take({ surface, method, path });
    if (!fault) return next();
    if (!fault.after && !isTruncation(fault)) {
      injector.before(fault.then, request, reply).then(() => {
        if (!reply.sent) next();
      }, next);
      return;
    }
    request.faultAfter = fault;
    next();
  });

  app.addHook("onSend", (request, reply, payload, next) => {
    const fault = request.faultAfter;
    const answered = (sent: unknown) => {
      if (request.logged) requestLog.answer(request.logged, reply.statusCode);
      next(null, sent);
    };
    if (!fault) return answered(payload);
    injector
      .after(fault.then, request, reply, payload)
      .then(answered, (error: unknown) => next(error as Error));
  });

  app.addHook("onResponse", (request, reply, done) => {
    // A silent service spends no time on the line.
    if (!VERBOSE.has(app.log.level)) return done();
    request.log.info(
      {
        method: request.method,
        path: pathOf(request),
        status: request.logged?.status ?? reply.statusCode,
        key: request.caller?.name,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      "request",
    );
    done();
  });
  return injector;
}

const VERBOSE: ReadonlySet<string> = new Set(["info", "debug", "trace"]);

/** Only an answer can be cut off, so this fault always acts after the work. */
function isTruncation({ then }: Fault): boolean {
  return typeof then === "object" && "truncate" in then;
}
