import {
  FilteringRuleCreate,
  FilteringRuleFilter,
  FilteringRuleRecord,
  FilteringRulesBulk,
  FilteringRulesTest,
  FilteringRulesTestResult,
  FilteringRuleUpdate,
} from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { notFound, type Violation } from "../http/answer-error";
import { type Call, operation, type Operation } from "../http/operation";
import { expressionViolations, testRules } from "../rules/check-rules";
import { eitherViolations, member, violation } from "../http/violations";
import { recordOf } from "../store/database/record-columns";
import type { FilteringRuleRow } from "../store/database/schema";
import { checkLimit } from "./account-limits";
import { environmentViolations } from "./environments";
import {
  bulkViolations,
  placementViolations,
} from "./filtering-rule-violations";

const One = z.object({ data: FilteringRuleRecord });
const Many = z.object({ data: z.array(FilteringRuleRecord) });

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
    operation({
      name: "listFilteringRules",
      method: "GET",
      path: "/filtering-rules",
      summary: "List filtering rules in their order of evaluation",
      // Parameters that are no filters are ignored, as in every other list.
      query: z.object(FilteringRuleFilter.shape),
      answer: Many,
      run: ({ workspace, query }) => ({
        data: filteringRules.list(workspace, query).map(show),
      }),
    }),
    operation({
      name: "getFilteringRule",
      method: "GET",
      path: "/filtering-rules/:id",
      summary: "Get a filtering rule",
      answer: One,
      run: ({ workspace, id }) => {
        const found = filteringRules.get(workspace, id);
        if (!found) throw notFound("filtering rule", id);
        return { data: show(found) };
      },
    }),
    operation({
      name: "createFilteringRule",
      method: "POST",
      path: "/filtering-rules",
      summary: "Create a filtering rule",
      description:
        "Without a placement it becomes the last rule of its environment.",
      body: FilteringRuleCreate,
      status: 201,
      answer: One,
      slowCheck,
      check,
      run: ({ workspace, body }) => {
        checkLimit(
          context,
          "filtering rules",
          filteringRules.count(workspace) + 1,
        );
        const { environment } = body;
        const made = filteringRules.create(workspace, environment, body);
        return { data: show(made) };
      },
    }),
    operation({
      name: "updateFilteringRule",
      method: "POST",
      path: "/filtering-rules/:id",
      summary: "Change a filtering rule",
      body: FilteringRuleUpdate,
      answer: One,
      slowCheck,
      check: (call) => [...idViolations(call), ...check(call)],
      run: ({ workspace, id, body }) => {
        const changed = filteringRules.update(workspace, id, body);
        if (!changed) throw notFound("filtering rule", id);
        return { data: show(changed) };
      },
    }),
    operation({
      name: "deleteFilteringRule",
      method: "DELETE",
      path: "/filtering-rules/:id",
      summary: "Delete a filtering rule",
      status: 204,
      answer: z.undefined(),
      run: ({ workspace, id }) => {
        if (!filteringRules.remove(workspace, id))
          throw notFound("filtering rule", id);
      },
    }),
    operation({
      name: "writeFilteringRules",
      method: "POST",
      path: "/filtering-rules/bulk",
      summary: "Create, update or replace many filtering rules, all or none",
      description:
        "Mode merge updates the rules with an ID and creates the others. Mode overwrite replaces all rules of the environment by the given ones, in their order, unless a placement moves one, and with new IDs. Without an environment the call is about the default one. The answer holds the written rules in the given order.",
      body: FilteringRulesBulk,
      answer: Many,
      slowCheck,
      check: (call) => bulkViolations(context, call),
      run: ({ workspace, body: { rules, mode = "merge", ...body } }) => {
        const environment =
          body.environment ?? environments.default(workspace)?.id ?? "";
        const all = filteringRules.list(workspace, {});
        const kept =
          mode === "merge"
            ? all.length - rules.filter(({ id }) => id !== undefined).length
            : all.filter((rule) => rule.environment !== environment).length;
        checkLimit(context, "filtering rules", kept + rules.length);
        const written = filteringRules[mode](workspace, environment, rules);
        return { data: written.map(show) };
      },
    }),
    operation({
      name: "testFilteringRules",
      method: "POST",
      path: "/filtering-rules/test",
      summary: "Test what rules decide about a request",
      description:
        "Takes either rules or an environment, whose rules in force are then evaluated, and either a request or the ID of a past event. The first rule that matches decides; a request that no rule matches is allowed. triggered_rule is the expression of the rule that decided.",
      body: FilteringRulesTest,
      answer: z.object({ data: FilteringRulesTestResult }),
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
      run: ({ workspace, body }) => ({
        data: testRules(context, workspace, body),
      }),
    }),
  ];
}

const show = (row: FilteringRuleRow) => recordOf(FilteringRuleRecord, row);

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
