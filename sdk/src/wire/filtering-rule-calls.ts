import * as z from "zod";
import {
  DenyWith,
  RULE_ACTIONS,
  RuleAction,
  RuleExpression,
  RuleName,
  TestRequestPayload,
} from "./filtering-rules";
import { openEnum } from "./open-enum";
import { Status, STATUSES } from "./status";

/** A filtering rule as the service answers it (docs/contract.md, "Filtering rule record"). */
export const FilteringRuleRecord = z.object({
  id: z.string(),
  name: z.string(),
  environment: z.string().nullish(),
  expression: z.string(),
  action: openEnum(RULE_ACTIONS),
  status: openEnum(STATUSES),
  deny_with: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/**
 * The position of a rule: an index from 0, the ID of the rule before it, or the ID of
 * the rule after it.
 */
export const Placement = z
  .strictObject({
    position: z.int().min(0).optional(),
    after: z.string().min(1).optional(),
    before: z.string().min(1).optional(),
  })
  .refine(
    (placement) =>
      Object.values(placement).filter((v) => v !== undefined).length <= 1,
    "takes one of position, after and before",
  );

/** Body of `POST /filtering-rules`. */
export const FilteringRuleCreate = z.strictObject({
  name: RuleName,
  environment: z.string().min(1),
  expression: RuleExpression,
  action: RuleAction,
  status: Status.optional(),
  deny_with: DenyWith.nullable().optional(),
  placement: Placement.optional(),
});

/** Body of `POST /filtering-rules/{id}`. A field that is left out keeps its value. */
export const FilteringRuleUpdate = FilteringRuleCreate.partial().extend({
  id: z.string().min(1).optional(),
});

/** One rule of a bulk call. In `merge` mode, a rule with an `id` is updated. */
export const BulkRule = z.strictObject({
  id: z.string().min(1).optional(),
  ...FilteringRuleCreate.omit({ environment: true }).shape,
});

/** Modes of a bulk call: `merge` keeps existing rules, `overwrite` replaces them. */
export const BULK_MODES = ["merge", "overwrite"] as const;

/** Body of `POST /filtering-rules/bulk`. */
export const FilteringRulesBulk = z.strictObject({
  rules: z.array(BulkRule),
  environment: z.string().min(1).optional(),
  mode: z.enum(BULK_MODES).optional(),
});

/** Body of `POST /filtering-rules/test`: rules or an environment, and a request. */
export const FilteringRulesTest = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        expression: RuleExpression,
        action: RuleAction,
        deny_with: DenyWith.nullable().optional(),
      }),
    )
    .optional(),
  environment: z.string().min(1).optional(),
  test_request_id: z.string().min(1).optional(),
  test_request_payload: TestRequestPayload.optional(),
});

/**
 * Answer of `POST /filtering-rules/test`. `triggered_rule` is the text of the
 * expression.
 */
export const FilteringRulesTestResult = z.object({
  result: openEnum(RULE_ACTIONS),
  deny_with: z.string().nullish(),
  triggered_rule: z.string().nullish(),
});

/** Filters of `GET /filtering-rules`. `name` finds a part of a name. */
export const FilteringRuleFilter = z.strictObject({
  environment: z.string().min(1).optional(),
  status: Status.optional(),
  name: z.string().optional(),
});
