import type { PlannedRules, PlanSubject } from "../../../review/src";
import { parseRuleFile, type Rule } from "../../../rules/src";
import { rule } from "../../rules/diff/rule";
import { BASE, RULES } from "./sample-review";

/** The rules of the sample's file. */
export const PLANNED: readonly Rule[] = parseRuleFile(RULES, "rules.yaml");

/** A rule that somebody added in the dashboard. */
export const BY_HAND = rule("by-hand", "http.user_agent.is_ai_bot");

/** The rule set of the sample, updated like the sample's file. */
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

/** Another rule set, which the plan does not change. */
export const STAGING: PlannedRules = {
  ...REVIEWED,
  name: "staging",
  operation: "same",
  environment: "Staging (ae_2)",
  isReviewed: false,
  inForce: [BY_HAND],
  planned: [BY_HAND],
};

/** A plan that agrees with the sample's file, unless `other` says otherwise. */
export function samplePlan(other: Partial<PlanSubject> = {}): PlanSubject {
  return {
    name: "preview.json",
    stack: "shop/production",
    ruleSets: [REVIEWED],
    others: [],
    ...other,
  };
}

/** A plan that deletes a key, replaces another key and moves a webhook. */
export const TOUCHED: PlanSubject = samplePlan({
  ruleSets: [
    {
      ...REVIEWED,
      settings: [{ name: "protect", before: "true", isLoosened: true }],
    },
  ],
  others: [
    {
      operation: "delete",
      type: "ApiKey",
      name: "old",
      properties: [{ name: "type", before: '"secret"' }],
      effects: [
        {
          risk: "high",
          text: "servers with this key are refused from now on",
        },
      ],
    },
    { operation: "replace", type: "ApiKey", name: "shop" },
    {
      operation: "update",
      type: "Webhook",
      name: "hook",
      properties: [
        {
          name: "url",
          before: '"https://shop.example/hook"',
          after: '"https://evil.example/hook"',
        },
      ],
      effects: [
        {
          risk: "high",
          text: "`evil.example` receives all events from now on, not `shop.example`",
        },
      ],
    },
  ],
});
