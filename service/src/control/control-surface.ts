import type { Context } from "../context";
import { AnswerError, MANAGEMENT_ERRORS } from "../http/answer-error";
import { refuseWebPages } from "../http/refuse-other-hosts";
import type { Surface } from "../http/surface";
import { addEventsOperation } from "./add-events";
import { historyOperations } from "./history-operations";
import { identifyVisitOperation } from "./identify-visit";
import { serviceOperations } from "./service-operations";
import { workspaceOperations } from "./workspace-operations";

/**
 * The calls under `/_local`, which only the local service has. With a keys file
 * they take its `controlKey` as a bearer token; without one they need no key.
 * Web pages of other origins are refused in both cases.
 */
export function controlSurface(context: Context): Surface {
  const { controlKey } = context.keys;
  return {
    name: "control",
    prefix: "/_local",
    operations: [
      ...workspaceOperations(context),
      addEventsOperation(context),
      identifyVisitOperation(context),
      ...historyOperations(context),
      ...serviceOperations(context),
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
