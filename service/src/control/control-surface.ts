import { z } from "zod";
import type { Context } from "../context";
import { AnswerError, MANAGEMENT_ERRORS } from "../http/answer-error";
import { Fault } from "../http/faults";
import { operation, type Operation } from "../http/operation";
import { LoggedRequest } from "../http/request-log";
import type { Surface } from "../http/surface";
import { eventOperation } from "./add-events";
import { decisionsOperation, deliveriesOperation, Since } from "./history-operations";
import { identifyVisitOperation } from "./identify-visit";
import { refuseWebPages } from "./refuse-web-pages";
import { clockOperation } from "./service-operations";
import { drnOperation, rulesetOperation, settingsOperations, webhookOperation } from "./workspace-operations";

/**
 * The calls under `/_local`, which only the local service has: faults, clock,
 * request log and reset. With a keys file they take its `controlKey` as bearer
 * token, and are open otherwise, but never to web pages.
 */
export function controlSurface(context: Context): Surface {
  const { controlKey } = context.keys;
  return {
    name: "control",
    prefix: "/_local",
    operations: [
      clockOperation(context),
      drnOperation(context),
      eventOperation(context),
      rulesetOperation(context),
      identifyVisitOperation(context),
      decisionsOperation(context),
      webhookOperation(context),
      deliveriesOperation(context),
      ...settingsOperations(context),
      ...faultOperations(context),
      ...logOperations(context),
    ],
    errors: controlKey === undefined ? [400, 403] : [400, 401, 403],
    errorFormat: MANAGEMENT_ERRORS,
    takesKey: controlKey !== undefined,
    guard: (request) => {
      refuseWebPages(request, context.host);
      const isControl = request.caller?.kind === "control";
      if (controlKey === undefined || isControl) return;
      throw new AnswerError(
        "unauthorized",
        "Control calls take Authorization: Bearer <controlKey of the keys file>.",
      );
    },
  };
}

function faultOperations({ faults }: Context): Operation[] {
  return [
    operation({
      name: "addFault",
      method: "POST",
      path: "/faults",
      summary: "Let requests fail",
      description:
        "The first fault that matches a request, in the order in which they were added, acts on it. With after, the work is done before; a truncated answer always is the answer of done work. A string as body is sent as it is. Without times: until forgotten.",
      body: Fault,
      status: 201,
      answer: Fault,
      run: ({ body }) => {
        faults.add(body);
        return body;
      },
    }),
    operation({
      name: "forgetFaults",
      method: "DELETE",
      path: "/faults",
      summary: "Forget all faults",
      status: 204,
      answer: z.undefined(),
      run: () => faults.reset(),
    }),
  ];
}

function logOperations(context: Context): Operation[] {
  const { clock, faults, rateLimiter, requestLog, store } = context;
  return [
    operation({
      name: "listRequests",
      method: "GET",
      path: "/requests",
      summary: "The requests so far, control calls excepted",
      description: "Keys are shown by name. Status 0: nothing was answered.",
      query: Since,
      status: 200,
      answer: z.array(LoggedRequest),
      run: ({ query }) => [...requestLog.since(query.since ?? 0)],
    }),
    operation({
      name: "reset",
      method: "POST",
      path: "/reset",
      summary: "Go back to the first start: records, clock, faults, log, rates",
      status: 204,
      answer: z.undefined(),
      run: () => {
        clock.reset();
        store.reset();
        faults.reset();
        rateLimiter.reset();
        requestLog.reset();
      },
    }),
  ];
}
