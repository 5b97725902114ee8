import { FilteringRuleFilter, FilteringRuleRecord } from "@devid/sdk/wire";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";
import { withoutNulls } from "../session/answers";

const FilteringRuleResult = named(
  "FilteringRuleResult",
  z
    .object({
      id: z.string().describe("ID."),
      name: z.string().describe("Name."),
      environment: z.string().optional().describe("Environment ID."),
      expression: z
        .string()
        .describe(
          "Expression that decides whether the rule matches a request.",
        ),
      action: FilteringRuleRecord.shape.action.describe(
        "What happens to a request that the rule matches.",
      ),
      status: FilteringRuleRecord.shape.status.describe(
        "Whether it is in force.",
      ),
      denyWith: z
        .string()
        .optional()
        .describe("How a denied request is answered."),
      createdAt: z.string().optional().describe("Time of creation, ISO 8601."),
      updatedAt: z
        .string()
        .optional()
        .describe("Time of the last change, ISO 8601."),
    })
    .describe("A filtering rule."),
);

const { environment, status, name } = FilteringRuleFilter.shape;

/** Filtering rules in the order in force (docs/contract.md, "GET /filtering-rules"). */
export const getFilteringRules = defineFunction({
  name: "getFilteringRules",
  description: "Filtering rules in the order in which they are evaluated.",
  args: z.strictObject({
    environment: environment.describe(
      "Environment ID: only rules of this environment.",
    ),
    status: status.describe("Only rules with this status."),
    name: name.describe("Only rules with this in their name."),
  }),
  result: z.array(FilteringRuleResult),
  async run({ client, args, signal }) {
    const found = await client.filteringRules.list({ ...args, signal });
    return found.map(withoutNulls);
  },
});
