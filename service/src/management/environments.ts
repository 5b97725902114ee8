import {
  EnvironmentCreate,
  EnvironmentRecord,
  EnvironmentUpdate,
} from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { AnswerError, notFound, type Violation } from "../http/answer-error";
import { type Call, operation, type Operation } from "../http/operation";
import { member, violation } from "../http/violations";
import { recordOf } from "../store/database/record-columns";
import type { EnvironmentRow } from "../store/database/schema";
import { listOperation } from "./list-operation";

const One = z.object({ data: EnvironmentRecord });

/** `/environments`: docs/contract.md, "GET /environments" to "DELETE /environments/{id}". */
export function environmentOperations(context: Context): Operation[] {
  const { apiKeys, environments } = context.store;
  return [
    listOperation(context, environments, {
      name: "listEnvironments",
      path: "/environments",
      summary: "List environments, the default one first",
      filter: z.strictObject({}),
      record: EnvironmentRecord,
      show,
    }),
    operation({
      name: "createEnvironment",
      method: "POST",
      path: "/environments",
      summary:
        "Create an environment and its encryption key, which starts disabled",
      body: EnvironmentCreate,
      status: 201,
      answer: One,
      check: ({ body }) => limitViolations(body),
      run: ({ workspace, body }) => ({
        data: show(environments.create(workspace, body)),
      }),
    }),
    operation({
      name: "updateEnvironment",
      method: "POST",
      path: "/environments/:id",
      summary: "Change an environment",
      body: EnvironmentUpdate,
      answer: One,
      check: ({ workspace, id, body }) => {
        const old = environments.get(workspace, id);
        return old ? limitViolations(body, old) : [];
      },
      run: ({ workspace, id, body }) => {
        const changed = environments.update(workspace, id, body);
        if (!changed) throw notFound("environment", id);
        return { data: show(changed) };
      },
    }),
    operation({
      name: "deleteEnvironment",
      method: "DELETE",
      path: "/environments/:id",
      summary: "Delete an environment and everything in it",
      description:
        "Refused for the default environment, and while an enabled API key uses it.",
      status: 204,
      answer: z.undefined(),
      errors: [409],
      run: ({ workspace, id }) => {
        const found = environments.get(workspace, id);
        if (!found) throw notFound("environment", id);
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
        environments.remove(workspace, id);
      },
    }),
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
