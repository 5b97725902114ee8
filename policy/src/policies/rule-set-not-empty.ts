import { z } from "zod";
import { declaredEntries, isRuleSet } from "../declared-rules";
import { definePolicy } from "../define-policy";

/** A rule set has at least one enabled rule, even with `allowEmpty`. */
export const ruleSetNotEmpty = definePolicy({
  name: "rule-set-not-empty",
  description: "A rule set must have at least one rule that is enabled.",
  config: z.strictObject({}),
  appliesTo: isRuleSet,
  check({ resource: { inputs }, report }) {
    const entries = declaredEntries(inputs);
    if (!entries || entries.some(({ status }) => status !== "disabled")) return;
    const what =
      entries.length === 0 ? "has no rule" : "has only rules that are disabled";
    report.violation(
      `The rule set ${what}, so every request would be allowed. Add a rule, or leave the resource out.`,
    );
  },
});
