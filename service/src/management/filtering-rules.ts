import { FILTERING_RULE, type Region } from "@devid/sdk/wire";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call, Operation } from "../http/operation";
import { expressionViolations, testRules } from "../rules/evaluate-rules";
import { eitherViolations, member, violation } from "../http/violations";
import { checkLimit, environmentViolations } from "./kinds";
import { serve } from "./serve-operation";

const slowCheck = ({ body }: Call) => expressionViolations(body);

/** `/filtering-rules`: docs/contract.md, "GET /filtering-rules" to "POST /filtering-rules/test". */
export function filteringRuleOperations(context: Context): Operation[] {
  const { filteringRules, environments } = context.store;
  const check = (call: Call) => [
    ...environmentViolations(context, call),
    ...placementViolations(context, call),
  ];
  return [
    serve(FILTERING_RULE.list, ({ workspace, query }) =>
      filteringRules.list(workspace, query),
    ),
    serve(FILTERING_RULE.get, (call) => filteringRules.get(call)),
    serve(
      FILTERING_RULE.create,
      ({ workspace, body }) => {
        const count = filteringRules.count(workspace) + 1;
        checkLimit(context, "filtering rules", count);
        return filteringRules.create(workspace, body.environment, body);
      },
      { slowCheck, check },
    ),
    serve(
      FILTERING_RULE.update,
      (call) => filteringRules.update(call, call.body),
      { slowCheck, check: (call) => [...idViolations(call), ...check(call)] },
    ),
    serve(FILTERING_RULE.delete, (call) => filteringRules.remove(call)),
    serve(
      FILTERING_RULE.bulk,
      ({ workspace, body: { rules, mode = "merge", ...body } }) => {
        const environment =
          body.environment ?? environments.default(workspace)?.id ?? "";
        const replaced =
          mode === "merge"
            ? rules.filter(({ id }) => id !== undefined).length
            : filteringRules.count(workspace, { environment });
        const count = filteringRules.count(workspace) - replaced + rules.length;
        checkLimit(context, "filtering rules", count);
        return filteringRules[mode](workspace, environment, rules);
      },
      { slowCheck, check: (call) => bulkViolations(context, call) },
    ),
    serve(
      FILTERING_RULE.test,
      ({ workspace, body }) => testRules(context, workspace, body),
      {
        errors: [404],
        slowCheck,
        check: (call) => [
          ...eitherViolations(call.body, "rules", "environment"),
          ...eitherViolations(
            call.body,
            "test_request_id",
            "test_request_payload",
          ),
          ...environmentViolations(context, call),
        ],
      },
    ),
  ];
}

/**
 * The violation of an `id` in the body of an update that differs from the ID in
 * the path (docs/assumptions.md, A34).
 */
function idViolations({ id, body }: Call): Violation[] {
  const given = member(body, "id");
  return given === undefined || given === id
    ? []
    : violation("id", "is not the ID of the path");
}

/** Whether an environment has a rule with this ID. */
type IsThere = (id: string) => boolean;

const isRuleOf =
  ({ store }: Context, workspace: Region, environment: string): IsThere =>
  (id) =>
    store.filteringRules.get({ workspace, id })?.environment === environment;

/**
 * The violations of a rule's `placement`: its neighbours have to be other rules
 * of the same environment.
 */
function placementViolations(context: Context, call: Call): Violation[] {
  const { workspace, id, body } = call;
  const given = member(body, "environment");
  const environment =
    typeof given === "string"
      ? given
      : context.store.filteringRules.get(call)?.environment;
  // Without an environment, either the body has another violation or the rule
  // does not exist.
  if (environment === undefined) return [];
  const isThere = isRuleOf(context, workspace, environment);
  const placement = member(body, "placement");
  return neighbourViolations(isThere, placement, "placement", id);
}

const NOT_THERE = "is not a rule of this environment";

/**
 * The violations of a placement. `isThere` says whether a rule with an ID can be a
 * neighbour, `own` is the ID of the placed rule, and `property` is the path of the
 * placement in the body. `missing` is the message for an ID that cannot be a
 * neighbour.
 */
function neighbourViolations(
  isThere: IsThere,
  placement: unknown,
  property: string,
  own: unknown,
  missing = NOT_THERE,
): Violation[] {
  return ["after", "before"].flatMap((side) => {
    const neighbour = member(placement, side);
    if (typeof neighbour !== "string" || neighbour === "") return [];
    if (neighbour !== own && isThere(neighbour)) return [];
    const message = neighbour === own ? "names the rule itself" : missing;
    return violation(`${property}.${side}`, message);
  });
}

/**
 * The violations of a bulk call that no schema finds (docs/assumptions.md, A30
 * and A31). In mode `merge`, IDs and neighbours have to be rules of the
 * environment, and no rule may be given twice. In mode `overwrite` every rule
 * gets a new ID, so that the ID of an item only serves the placements of the
 * other items.
 */
function bulkViolations(context: Context, call: Call): Violation[] {
  const { workspace, body } = call;
  const found = environmentViolations(context, call);
  const rules = member(body, "rules");
  if (!Array.isArray(rules)) return found;
  const named = member(body, "environment");
  const environment =
    typeof named === "string"
      ? named
      : (context.store.environments.default(workspace)?.id ?? "");
  const isOverwrite = member(body, "mode") === "overwrite";
  const given = new Set(rules.map((rule) => member(rule, "id")));
  const isThere: IsThere = isOverwrite
    ? (id) => given.has(id)
    : isRuleOf(context, workspace, environment);
  const missing = isOverwrite
    ? "is not the ID of another rule of this call, and mode overwrite deletes all rules of before"
    : NOT_THERE;
  const seen = new Set<string>();

  for (const [index, rule] of rules.entries()) {
    const at = `rules[${index}]`;
    const id = member(rule, "id");
    if (typeof id === "string" && id !== "" && !isOverwrite) {
      const isOurs = isThere(id);
      if (!isOurs || seen.has(id))
        found.push(
          ...violation(`${at}.id`, isOurs ? "is given twice" : NOT_THERE),
        );
      seen.add(id);
    }
    const placement = member(rule, "placement");
    found.push(
      ...neighbourViolations(
        isThere,
        placement,
        `${at}.placement`,
        id,
        missing,
      ),
    );
  }
  return found;
}
