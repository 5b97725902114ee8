import {
  allows,
  findRequest,
  type CheckedRule,
  ANY_REQUEST,
  decidePartly,
} from "@devid/rules";
import { z } from "zod";
import { isRuleSet, rulesOf } from "../declared-rules";
import { definePolicy } from "../define-policy";

/**
 * A rule set allows at least one request. It also passes if that cannot be
 * decided.
 */
export const noDenyAll = definePolicy({
  name: "no-deny-all",
  description: "A rule set must not deny every request.",
  config: z.strictObject({}),
  appliesTo: isRuleSet,
  check({ resource, report }) {
    const rules = rulesOf(resource);
    if (rules && deniesAll(rules))
      report.violation(
        `The rule set denies every request (${denying(rules)}), which would end identification in this environment. Narrow the deny rule, or put an allow rule before it.`,
      );
  },
});

function deniesAll(rules: readonly CheckedRule[]): boolean {
  const decision = decidePartly(rules)(ANY_REQUEST);
  return (
    decision.result === "deny" || findRequest(allows(rules)).answer === "none"
  );
}

function denying(rules: readonly CheckedRule[]): string {
  const names = rules
    .filter(({ rule }) => rule.action === "deny" && rule.status === "enabled")
    .map(({ rule }) => `"${rule.name}"`);
  return `deny rules in force: ${names.join(", ")}`;
}
