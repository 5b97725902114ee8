import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call } from "../http/operation";
import { member } from "../http/violations";

/** `environment` of a body, where given, has to be one of the workspace. */
export function environmentViolations(
  { store }: Context,
  { workspace, body }: Call<unknown, unknown>,
): Violation[] {
  const environment = member(body, "environment");
  if (typeof environment !== "string" || environment === "") return [];
  if (store.environments.get(workspace, environment)) return [];
  return [
    {
      property: "environment",
      message: "is not an environment of this workspace",
    },
  ];
}
