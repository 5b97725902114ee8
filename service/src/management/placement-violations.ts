import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call } from "../http/operation";
import { member } from "../http/violations";

/** `placement` of one rule's body has to name other rules of the rule's environment. */
export function placementViolations(
  context: Context,
  { workspace, id, body }: Call<unknown, unknown>,
): Violation[] {
  const given = member(body, "environment");
  const environment =
    typeof given === "string"
      ? given
      : context.store.filteringRules.get(workspace, id)?.environment;
  // Without an environment there is another violation, or no such rule.
  if (environment === undefined) return [];
  return neighbourViolations(
    context,
    workspace,
    environment,
    member(body, "placement"),
    "placement",
    id,
  );
}

/** The same for a placement that stands anywhere; `own` is the ID of the rule that is placed. */
export function neighbourViolations(
  { store }: Context,
  workspace: Region,
  environment: string,
  placement: unknown,
  property: string,
  own: string,
): Violation[] {
  return (["after", "before"] as const).flatMap((side) => {
    const neighbour = member(placement, side);
    if (typeof neighbour !== "string" || neighbour === "") return [];
    const rule = store.filteringRules.get(workspace, neighbour);
    const message =
      neighbour === own
        ? "names the rule itself"
        : rule?.environment === environment
          ? undefined
          : "is not a rule of this environment";
    return message ? [{ property: `${property}.${side}`, message }] : [];
  });
}
