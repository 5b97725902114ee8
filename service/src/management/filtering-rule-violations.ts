import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call } from "../http/operation";
import { member } from "../http/violations";
import { environmentViolations } from "./environments";

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
 * The violations of any placement; `isThere` tells whether an ID is that of a
 * rule of the environment, `own` is the ID of the rule that is placed, and
 * `property` the path of the placement in the body.
 */
function neighbourViolations(
  isThere: (id: string) => boolean,
  placement: unknown,
  property: string,
  own: string,
): Violation[] {
  return (["after", "before"] as const).flatMap((side) => {
    const neighbour = member(placement, side);
    if (typeof neighbour !== "string" || neighbour === "") return [];
    const message =
      neighbour === own
        ? "names the rule itself"
        : isThere(neighbour)
          ? undefined
          : "is not a rule of this environment";
    return message ? [{ property: `${property}.${side}`, message }] : [];
  });
}

/**
 * The violations of a bulk call that no schema finds (docs/assumptions.md, A30
 * and A31). In mode `merge`, IDs and neighbours have to be rules of the
 * environment, and no rule may be given twice. In mode `overwrite` the order of
 * the array is the order of evaluation, so a placement is refused; IDs are
 * ignored, for every rule gets a new one.
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
  const known = filteringRules.byId(workspace, environment);
  const isThere = (id: string) => known.has(id);
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
      const isOurs = isThere(id);
      const message = isOurs
        ? "is given twice"
        : "is not a rule of this environment";
      if (!isOurs || seen.has(id))
        found.push({ property: `${at}.id`, message });
      seen.add(id);
    }
    found.push(
      ...neighbourViolations(isThere, placement, `${at}.placement`, id),
    );
  });
  return found;
}
