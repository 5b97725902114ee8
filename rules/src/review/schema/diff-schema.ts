import { z } from "zod";
import { DenyWith } from "@devid/sdk/wire";
import type { RuleSetDiff } from "../../diff";
import type { FoundRequest } from "../../solver/find-request";

const Request = z.object({
  headers: z.record(z.string(), z.array(z.string())),
  ip: z.string().optional(),
  userAgent: z.string().optional(),
  sdkPlatform: z.string().optional(),
  sdkVersion: z.string().optional(),
  appPackageName: z.string().optional(),
  isAiBot: z.boolean().optional(),
  isCrawlerBot: z.boolean().optional(),
});

/** Whether any request meets a condition, and which. */
export const FoundRequestSchema: z.ZodType<FoundRequest> = z.union([
  z.object({ answer: z.literal("found"), request: Request }),
  z.object({ answer: z.enum(["none", "cannot tell"]) }),
]);

const Rule = z.object({
  name: z.string(),
  expression: z.string(),
  action: z.enum(["allow", "deny"]),
  status: z.enum(["enabled", "disabled"]),
  denyWith: DenyWith.optional(),
});

const Effect = z.object({
  newlyDenied: FoundRequestSchema,
  newlyAllowed: FoundRequestSchema,
  class: z.enum(["broadens", "narrows", "both", "none", "cannot tell"]),
});

const Edit = z.union([
  z.object({
    kind: z.literal("replaced"),
    at: z.string(),
    before: z.string(),
    after: z.string(),
  }),
  z.object({
    kind: z.enum(["added", "removed", "moved"]),
    at: z.string(),
    operator: z.enum(["&&", "||"]).optional(),
    text: z.string(),
  }),
]);

const changed = <T extends z.ZodType>(value: T) =>
  z.object({ before: value, after: value });

const step = {
  rule: Rule,
  position: z.int().optional(),
  effect: Effect,
};

/** What differs between two rule sets, as `diffRules` answers it. */
export const RuleSetDiffSchema: z.ZodType<RuleSetDiff> = z.object({
  changes: z.array(
    z.union([
      z.object({ kind: z.enum(["removed", "disabled", "enabled"]), ...step }),
      z.object({
        kind: z.enum(["moved", "added"]),
        ...step,
        after: z.string(),
      }),
      z.object({
        kind: z.literal("edited"),
        ...step,
        expression: changed(z.string())
          .extend({ edits: z.array(Edit) })
          .optional(),
        action: changed(Rule.shape.action).optional(),
        denyWith: changed(DenyWith).optional(),
      }),
    ]),
  ),
  effect: Effect,
});
