import { ENVIRONMENT, EnvironmentRecord } from "@devid/sdk/wire";
import type { Context } from "../context";
import { AnswerError, type Violation } from "../http/answer-error";
import type { Call, Operation } from "../http/operation";
import { member, violation } from "../http/violations";
import { recordOf } from "../store/records";
import type { EnvironmentRow } from "../store/schema";
import { listOperation } from "./list-operation";
import { serve } from "./serve-operation";

/** `/environments`: docs/contract.md, "GET /environments" to "DELETE /environments/{id}". */
export function environmentOperations(context: Context): Operation[] {
  const { apiKeys, environments } = context.store;
  return [
    listOperation(context, environments, ENVIRONMENT.list, show),
    serve(
      ENVIRONMENT.create,
      ({ workspace, body }) => show(environments.create(workspace, body)),
      { check: ({ body }) => limitViolations(body) },
    ),
    serve(
      ENVIRONMENT.update,
      ({ workspace, id, body }) => {
        const changed = environments.update(workspace, id, body);
        return changed && show(changed);
      },
      {
        check: ({ workspace, id, body }) => {
          const old = environments.get(workspace, id);
          return old ? limitViolations(body, old) : [];
        },
      },
    ),
    serve(
      ENVIRONMENT.delete,
      ({ workspace, id }) => {
        const found = environments.get(workspace, id);
        if (!found) return false;
        if (found.is_default)
          throw new AnswerError(
            "conflict",
            "The default environment cannot be deleted.",
          );
        const status = "enabled";
        const keys = apiKeys.count(workspace, { environment: id, status });
        if (keys > 0)
          throw new AnswerError(
            "environment_in_use",
            `Environment ${id} is used by ${keys} enabled API key${keys === 1 ? "" : "s"}. Delete or disable ${keys === 1 ? "it" : "them"} first.`,
          );
        return environments.remove(workspace, id);
      },
      { errors: [409] },
    ),
  ];
}

/**
 * The violation of a missing `limit_value`, which every mode but `none` needs.
 * What the body leaves out keeps its old value.
 */
function limitViolations(body: unknown, old?: EnvironmentRow): Violation[] {
  const mode = member(body, "limit_mode") ?? old?.limit_mode ?? "none";
  const given = member(body, "limit_value");
  const value = given === undefined ? old?.limit_value : given;
  if (mode === "none" || (value !== null && value !== undefined)) return [];
  return violation("limit_value", "is required unless limit_mode is none");
}

const show = (row: EnvironmentRow) => recordOf(EnvironmentRecord, row);

/** The violation of an `environment` that the workspace does not have. */
export function environmentViolations(
  { store }: Context,
  { workspace, body }: Call<unknown, unknown>,
): Violation[] {
  const environment = member(body, "environment");
  if (typeof environment !== "string" || environment === "") return [];
  if (store.environments.get(workspace, environment)) return [];
  return violation("environment", "is not an environment of this workspace");
}
