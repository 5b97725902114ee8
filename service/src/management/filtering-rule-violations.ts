import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call } from "../http/operation";
import { member } from "../http/violations";
import { environmentViolations } from "./kinds";

/**
 * The violations of a rule's `placement`: its neighbours have to be other rules
 * of the same environment.
 */
export function placementViolations(
  context: Context,
  { workspace, id, body }: Call<unknown, unknown>,
): Violation[] {
  const given = member(body, "environment");
  const environment =
    typeof given === "string"
      ? given
      : context.store.filteringRules.get(workspace, id)?.environment;
  // Without an environment, either the body has another violation or the rule
  // does not exist.
  if (environment === undefined) return [];
  const { filteringRules } = context.store;
  return neighbourViolations(
    (neighbour) =>
      filteringRules.get(workspace, neighbour)?.environment === environment,
    member(body, "placement"),
    "placement",
    id,
  );
}

/**
 * The violations of a placement. `isThere` says whether a rule with an ID can be a
 * neighbour, `own` is the ID of the placed rule, and `property` is the path of the
 * placement in the body. `missing` is the message for an ID that cannot be a
 * neighbour.
 */
function neighbourViolations(
  isThere: (id: string) => boolean,
  placement: unknown,
  property: string,
  own: string,
  missing = "is not a rule of this environment",
): Violation[] {
  return (["after", "before"] as const).flatMap((side) => {
    const neighbour = member(placement, side);
    if (typeof neighbour !== "string" || neighbour === "") return [];
    const message =
      neighbour === own
        ? "names the rule itself"
        : isThere(neighbour)
          ? undefined
          : missing;
    return message ? [{ property: `${property}.${side}`, message }] : [];
  });
}

/**
 * The violations of a bulk call that no schema finds (docs/assumptions.md, A30
 * and A31). In mode `merge`, IDs and neighbours have to be rules of the
 * environment, and no rule may be given twice. In mode `overwrite` every rule
 * gets a new ID, so that the ID of an item only serves the placements of the
 * other items.
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
  const named = member(body, "environment");
  const environment =
    typeof named === "string"
      ? named
      : (environments.default(workspace)?.id ?? "");
  const isOverwrite = member(body, "mode") === "overwrite";
  const known = filteringRules.byId(workspace, environment);
  const given = new Set(rules.map((rule) => member(rule, "id")));
  const isThere = (id: string) => (isOverwrite ? given : known).has(id);
  const seen = new Set<string>();

  rules.forEach((rule: unknown, index) => {
    const at = `rules[${index}]`;
    const ownId = member(rule, "id");
    const id = typeof ownId === "string" ? ownId : "";
    if (id !== "" && !isOverwrite) {
      const isOurs = isThere(id);
      const message = isOurs
        ? "is given twice"
        : "is not a rule of this environment";
      if (!isOurs || seen.has(id))
        found.push({ property: `${at}.id`, message });
      seen.add(id);
    }
    found.push(
      ...neighbourViolations(
        isThere,
        member(rule, "placement"),
        `${at}.placement`,
        id,
        isOverwrite
          ? "is not the ID of another rule of this call, and mode overwrite deletes all rules of before"
          : undefined,
      ),
    );
  });
  return found;
}
