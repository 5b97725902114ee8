import { z } from "zod";
import { declaredEntries, isRuleSet } from "../declared-rules";
import { definePolicy } from "../define-policy";

/**
 * A rule set has no more rules than the account allows (docs/contract.md, "Account
 * limits"). Disabled rules count.
 */
export const maxRules = definePolicy({
  name: "max-rules",
  description: "A rule set must have no more rules than the account allows.",
  config: z.strictObject({
    max: z.int().min(0).default(15).describe("Highest number of rules."),
  }),
  appliesTo: isRuleSet,
  check({ resource: { inputs }, config: { max }, report }) {
    const count = declaredEntries(inputs)?.length ?? 0;
    if (count > max)
      report.violation(
        `The rule set has ${count} rules; at most ${max} are allowed. Join rules with || and &&, or remove some.`,
      );
  },
});
