import { FILTERING_RULE } from "@devid/sdk/wire";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call, Operation } from "../http/operation";
import { expressionViolations, testRules } from "../rules/check-rules";
import { eitherViolations, member, violation } from "../http/violations";
import { checkLimit } from "./account-limits";
import { environmentViolations } from "./kinds";
import {
  bulkViolations,
  placementViolations,
} from "./filtering-rule-violations";
import { serve } from "./serve-operation";

const slowCheck = ({ body }: Call<unknown, unknown>) =>
  expressionViolations(body);

/** `/filtering-rules`: docs/contract.md, "GET /filtering-rules" to "POST /filtering-rules/test". */
export function filteringRuleOperations(context: Context): Operation[] {
  const { filteringRules, environments } = context.store;
  const check = (call: Call<unknown, unknown>) => [
    ...environmentViolations(context, call),
    ...placementViolations(context, call),
  ];
  return [
    serve(FILTERING_RULE.list, ({ workspace, query }) =>
      filteringRules.list(workspace, query),
    ),
    serve(FILTERING_RULE.get, ({ workspace, id }) =>
      filteringRules.get(workspace, id),
    ),
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
      ({ workspace, id, body }) => filteringRules.update(workspace, id, body),
      { slowCheck, check: (call) => [...idViolations(call), ...check(call)] },
    ),
    serve(FILTERING_RULE.delete, ({ workspace, id }) =>
      filteringRules.remove(workspace, id),
    ),
    serve(
      FILTERING_RULE.bulk,
      ({ workspace, body: { rules, mode = "merge", ...body } }) => {
        const environment =
          body.environment ?? environments.default(workspace)?.id ?? "";
        const all = filteringRules.list(workspace, {});
        const kept =
          mode === "merge"
            ? all.length - rules.filter(({ id }) => id !== undefined).length
            : all.filter((rule) => rule.environment !== environment).length;
        checkLimit(context, "filtering rules", kept + rules.length);
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
function idViolations({ id, body }: Call<unknown, unknown>): Violation[] {
  const given = member(body, "id");
  return given === undefined || given === id
    ? []
    : violation("id", "is not the ID of the path");
}
