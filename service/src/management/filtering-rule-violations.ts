import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call } from "../http/operation";
import { member } from "../http/violations";
import { environmentViolations } from "./environments";

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
function neighbourViolations(
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

/**
 * What a schema cannot tell about a bulk call (docs/assumptions.md, A30 and
 * A31). In `merge`, IDs and neighbours are rules of the environment, and no
 * rule is there twice. In `overwrite` the order of the array is the order in
 * force, so nothing can be placed; IDs are passed over, for all are new.
 */
export function bulkViolations(
  context: Context,
  call: Call<unknown, unknown>,
): Violation[] {
  const { workspace, body } = call;
  const found = environmentViolations(context, call);
  const rules = member(body, "rules");
  if (!Array.isArray(rules)) return found;
  const { filteringRules, environments } = context.store;
  const given = member(body, "environment");
  const environment =
    typeof given === "string"
      ? given
      : (environments.default(workspace)?.id ?? "");
  const isOverwrite = member(body, "mode") === "overwrite";
  const seen = new Set<string>();

  rules.forEach((rule: unknown, index) => {
    const at = `rules[${index}]`;
    const placement = member(rule, "placement");
    if (isOverwrite) {
      if (placement !== undefined)
        found.push({
          property: `${at}.placement`,
          message: "is not taken by mode overwrite: the order of rules holds",
        });
      return;
    }
    const given = member(rule, "id");
    const id = typeof given === "string" ? given : "";
    if (id !== "") {
      const isOurs =
        filteringRules.get(workspace, id)?.environment === environment;
      const message = isOurs
        ? "is given twice"
        : "is not a rule of this environment";
      if (!isOurs || seen.has(id))
        found.push({ property: `${at}.id`, message });
      seen.add(id);
    }
    found.push(
      ...neighbourViolations(
        context,
        workspace,
        environment,
        placement,
        `${at}.placement`,
        id,
      ),
    );
  });
  return found;
}
