import { z } from "zod";
import type { FailedReview } from "../failed-review";
import { RISKS, type Review } from "../review";
import { FoundRequestSchema, RuleSetDiffSchema } from "./diff-schema";
import { ImpactSchema } from "./impact-schema";

const Absent = z.object({
  absent: z.string().describe("Why this part of the review is not there."),
});

const Problem = z.object({
  message: z.string(),
  line: z.int(),
  column: z.int(),
  offset: z.int(),
  length: z.int(),
});

const Expectation = z.object({
  result: z.enum(["allow", "deny"]),
  rule: z.string().optional(),
});

const Finding = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning", "note"]),
  rule: z.string().optional(),
  line: z.int(),
  column: z.int(),
  message: z.string(),
  frame: z.string(),
  fix: z.string().optional(),
  request: z
    .object({ headers: z.record(z.string(), z.array(z.string())) })
    .loose()
    .optional(),
  others: z.array(z.string()).optional(),
  isKnown: z
    .boolean()
    .describe("Whether the rules that are compared with have it, too."),
});

const Tests = z.object({
  tests: z.array(
    z.object({
      name: z.string(),
      passed: z.boolean(),
      expected: Expectation,
      got: Expectation,
      trace: z.array(
        z.object({
          rule: z.string(),
          outcome: z.enum(["matched", "not matched", "skipped", "failed"]),
          problem: Problem.optional(),
        }),
      ),
      line: z.int(),
      column: z.int(),
    }),
  ),
  coverage: z.object({
    enabled: z.array(z.object({ rule: z.string(), tests: z.int() })),
    notReached: z.array(z.string()),
    disabled: z.array(z.string()),
  }),
});

const Plan = z.object({
  name: z.string(),
  stack: z.string(),
  ruleSets: z.array(
    z.object({
      name: z.string(),
      operation: z.enum(["create", "update", "replace", "delete", "same"]),
      environment: z.string().optional(),
      isReviewed: z.boolean(),
      diff: z.union([RuleSetDiffSchema, Absent]),
      inForceFrom: z.enum(["service", "state"]),
      isExpectedInForce: z.boolean().optional(),
      settings: z.array(
        z.object({
          name: z.string(),
          before: z.string().optional(),
          after: z.string().optional(),
          isLoosened: z.boolean(),
        }),
      ),
    }),
  ),
  others: z.array(
    z.object({
      operation: z.enum(["create", "update", "replace", "delete"]),
      type: z.string(),
      name: z.string(),
    }),
  ),
  differences: z.array(z.string()),
});

const Scope = z
  .object({
    environment: z.string().optional(),
    stack: z.string().optional(),
  })
  .describe("Which comment this is, next to the file.");

const Purpose = z
  .enum(["change", "recovery"])
  .describe(
    "recovery: the rules of the main branch are to be put in force again.",
  );

/** What both hold, a review and what stands in for one. */
const subject = {
  purpose: Purpose,
  file: z.string().describe("What the rule file is called."),
  commit: z.string().optional().describe("Git commit of what is reviewed."),
  environment: z.string().optional().describe("Whose rules these are."),
  scope: Scope,
};

/** The JSON of a review, version 1; what else an answer holds is passed over. */
export const ReviewSchema: z.ZodType<Review> = z.object({
  version: z.literal(1),
  ...subject,
  base: z
    .object({
      name: z.string(),
      note: z.string().optional(),
      isMissing: z.boolean().optional(),
    })
    .describe("What it is compared with."),
  verdict: z.object({
    risk: z.enum(RISKS),
    reasons: z.array(
      z.object({ code: z.string(), risk: z.enum(RISKS), text: z.string() }),
    ),
    getsThrough: FoundRequestSchema.describe(
      "Whether a request gets through that did not before.",
    ),
  }),
  conditions: z
    .array(
      z.object({
        condition: z.string(),
        outcome: z.enum(["holds", "does not hold", "cannot be judged"]),
        found: z.string(),
      }),
    )
    .describe("What was named with --fail-on."),
  diff: z.union([RuleSetDiffSchema, Absent]),
  findings: z.array(Finding),
  tests: z.union([Tests, Absent]),
  impact: z.union([ImpactSchema, Absent]),
  minEvents: z
    .int()
    .describe("Conditions on past events are not judged by fewer of them."),
  plan: z
    .union([Plan, Absent])
    .optional()
    .describe("What the deployment does with the rules in force."),
});

/** The JSON of a review that ended in an error, version 1. */
export const FailedReviewSchema: z.ZodType<{
  readonly version: 1;
  readonly failed: FailedReview;
}> = z.object({
  version: z.literal(1),
  failed: z.object({
    ...subject,
    base: z.string().optional().describe("What it was to be compared with."),
    message: z.string().describe("Why there is no review, in lines."),
  }),
});
