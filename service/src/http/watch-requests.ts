import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock";
import type { ServiceKeys } from "../keys";
import type { Store } from "../store/store";
import { VisitorEraser } from "../visitor-eraser";
import { bearerToken, callerOf, type Caller } from "./caller";
import type { FaultEffect, Faults } from "./faults";
import { pathOf } from "./request-path";
import type { LoggedRequest, RequestLog } from "./request-log";
import { PAGE_HEADERS, SURFACES } from "./surface";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls; undefined without a key. */
    caller: Caller | undefined;
    /** What a fault is to do with the answer. */
    effectAfter: FaultEffect | undefined;
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
 * `SURFACES` does not name only reach the service's log.
 */
export function watchRequests(
  app: FastifyInstance,
  { keys, clock, store, requestLog, faults }: RequestWatch,
): void {
  app.decorateRequest("caller", undefined);
  app.decorateRequest("effectAfter", undefined);
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
    const { then: effect, after } = fault;
    // Only an answer can be cut off, so this fault always acts after the work.
    if (after || has(effect, "truncate")) {
      request.effectAfter = effect;
      return next();
    }
    if (has(effect, "status")) {
      request.effectAfter = effect;
      // The effect replaces this empty answer.
      return void reply.send();
    }
    if (typeof effect === "string") reply.hijack();
    faults.act(effect, request, reply, undefined).then(() => next(), next);
  });

  app.addHook("onSend", (request, reply, payload, next) => {
    const { logged, effectAfter: effect } = request;
    const answered = (sent: unknown) => {
      if (logged) requestLog.answer(logged, reply.statusCode);
      next(null, sent);
    };
    if (!effect) return answered(payload);
    // What is cut off never comes back.
    if (logged && has(effect, "truncate"))
      requestLog.answer(logged, reply.statusCode);
    faults
      .act(effect, request, reply, payload)
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
}

const VERBOSE: ReadonlySet<string> = new Set(["info", "debug", "trace"]);

function has(effect: FaultEffect, member: "status" | "truncate"): boolean {
  return typeof effect === "object" && member in effect;
}
