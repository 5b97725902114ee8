import type { FastifyInstance } from "fastify";
import type { Context } from "../context";
import { bearerToken, type Caller, callerOf } from "./caller";
import { type Fault, FaultInjector } from "./faults";
import type { LoggedRequest } from "./request-log";
import { pathOf } from "./request-path";
import { type Surface, surfaceOf } from "./surface";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls; undefined without a token. */
    caller: Caller | undefined;
    /** The fault that acts on the answer. */
    faultAfter: Fault | undefined;
    /** Its entry in the request log; undefined for control calls. */
    logged: LoggedRequest | undefined;
  }
  interface FastifyContextConfig {
    /** A route of the console: out of the log and safe from faults, as control calls are. */
    isConsole?: boolean;
  }
}

/**
 * Names the caller of every request, writes it to the log and the request log,
 * and lets faults act on it. Answers what lets go of the connections that
 * faults hold.
 */
export function watchRequests(
  app: FastifyInstance,
  context: Context,
  surfaces: readonly Surface[],
): FaultInjector {
  const injector = new FaultInjector();
  app.decorateRequest("caller", undefined);
  app.decorateRequest("faultAfter", undefined);
  app.decorateRequest("logged", undefined);

  app.addHook("onRequest", async (request, reply) => {
    const { method } = request;
    const path = pathOf(request);
    const found = surfaceOf(path, surfaces);
    const surface = found?.name ?? "other";
    const token = (found?.tokenOf ?? bearerToken)(request);
    request.caller =
      token === undefined
        ? undefined
        : callerOf(token, context.keys, context.store);
    if (surface === "control" || request.routeOptions.config.isConsole) return;
    request.logged = context.requestLog.add({
      method,
      path,
      surface,
      key: request.caller?.name ?? null,
      at: context.clock.now(),
    });
    const fault = context.faults.take({ surface, method, path });
    if (!fault) return;
    if (fault.after || isTruncation(fault)) request.faultAfter = fault;
    else await injector.before(fault.then, request, reply);
  });

  app.addHook("onSend", async (request, reply, payload) => {
    const fault = request.faultAfter;
    const sent = fault
      ? await injector.after(fault.then, request, reply, payload)
      : payload;
    if (request.logged) request.logged.status = reply.statusCode;
    return sent;
  });

  app.addHook("onResponse", (request, reply, done) => {
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

/** There is nothing to cut off before the work is done. */
function isTruncation({ then }: Fault): boolean {
  return typeof then === "object" && "truncate" in then;
}
