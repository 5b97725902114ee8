import type { PlannedRules, PlanSubject } from "../../../rules/src/review";
import { parseRuleFile, type Rule } from "../../../rules/src";
import { rule } from "../diff/rule";
import { BASE, RULES } from "./sample-review";

/** What the sample's file says. */
export const PLANNED: readonly Rule[] = parseRuleFile(RULES, "rules.yaml");

/** A rule that somebody has added in the dashboard. */
export const BY_HAND = rule("by-hand", "http.user_agent.is_ai_bot");

/** The rule set of the sample, updated as the sample's file says. */
export const REVIEWED: PlannedRules = {
  name: "shop",
  operation: "update",
  environment: "Production (ae_1)",
  isReviewed: true,
  inForce: BASE,
  planned: PLANNED,
  inForceFrom: "service",
  settings: [],
};

/** Another rule set that the plan leaves alone. */
export const STAGING: PlannedRules = {
  ...REVIEWED,
  name: "staging",
  operation: "same",
  environment: "Staging (ae_2)",
  isReviewed: false,
  inForce: [BY_HAND],
  planned: [BY_HAND],
};

/** A plan that does what the sample's file says, or something else in its place. */
export function samplePlan(other: Partial<PlanSubject> = {}): PlanSubject {
  return {
    name: "preview.json",
    stack: "shop/production",
    ruleSets: [REVIEWED],
    others: [],
    ...other,
  };
}
