import { DENY_WITH, RULE_ACTIONS, STATUSES } from "@devid/sdk/wire";
import { z } from "zod";
import type { RuleSetDiff } from "../diff/rule-change";
import { refuseBothBots } from "../language/request/bot-flags";
import type { Impact } from "../replay/impact";
import type { FoundRequest } from "../solver/find-request";
import { RISKS, type FailedReview, type Review } from "./review";

const Request = z
  .object({
    headers: z.record(z.string(), z.array(z.string())),
    ip: z.string().optional(),
    userAgent: z.string().optional(),
    sdkPlatform: z.string().optional(),
    sdkVersion: z.string().optional(),
    appPackageName: z.string().optional(),
    isAiBot: z.boolean().optional(),
    isCrawlerBot: z.boolean().optional(),
  })
  .superRefine(refuseBothBots);

/**
 * The answer to whether any request meets a condition, with the request if one
 * was found.
 */
export const FoundRequestSchema: z.ZodType<FoundRequest> = z.union([
  z.object({ answer: z.literal("found"), request: Request }),
  z.object({ answer: z.enum(["none", "cannot tell"]) }),
]);

/** A word of the service. A rule in force may have one that this version does not know. */
const word = <T extends string>(known: readonly T[]) =>
  z
    .string()
    .describe(
      `${known.join(", ")}, or another word of the service.`,
    ) as unknown as z.ZodType<T>;

const Rule = z.object({
  name: z.string(),
  expression: z.string(),
  action: word(RULE_ACTIONS),
  status: word(STATUSES),
  denyWith: word(DENY_WITH).optional(),
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
    note: z.string().optional(),
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

/** The differences between two rule sets, as `diffRules` returns them. */
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
        action: changed(word(RULE_ACTIONS)).optional(),
        denyWith: changed(word(DENY_WITH)).optional(),
      }),
    ]),
  ),
  effect: Effect,
});

const events = z.int().min(0);
const State = z.enum(["allow", "deny", "disabled", "absent", "unknown"]);

const Estimate = z.object({
  value: z.number(),
  low: z.number().optional(),
  high: z.number().optional(),
  percent: z.object({ low: z.number(), high: z.number() }).optional(),
});

const Outcomes = z.object({
  newlyDenied: Estimate,
  newlyAllowed: Estimate,
  unchanged: Estimate,
  cannotTell: Estimate,
});

const TopValues = z.array(
  z.object({
    value: z.string().optional(),
    events,
    atMost: events.optional(),
  }),
);

const Change = z.object({
  events,
  top: z.object({
    origin: TopValues,
    country: TopValues,
    asn: TopValues,
    userAgent: TopValues,
    linkedId: TopValues,
  }),
  badBots: events,
  bots: events,
  suspect: z.object({ events, scored: events }),
  examples: z.array(z.string()),
});

const CountedOutcomes = z.object({
  events,
  newlyDenied: events,
  newlyAllowed: events,
  unchanged: events,
  cannotTell: events,
});

/**
 * What a change would have done to past events, as `measureImpact` returns it.
 */
export const ImpactSchema: z.ZodType<Impact> = z.object({
  range: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
  events,
  sample: z.object({ confidence: z.number(), of: Estimate }).optional(),
  total: Outcomes,
  possible: z.object({ newlyDenied: Estimate, newlyAllowed: Estimate }),
  assumedNotSent: z.array(z.string()),
  rules: z.array(
    z.object({
      name: z.string(),
      before: State,
      after: State,
      decidedBefore: Estimate,
      decidedAfter: Estimate,
      outcomes: Outcomes,
    }),
  ),
  missing: z.array(z.object({ field: z.string(), events })),
  newlyDenied: Change,
  newlyAllowed: z.union([Change, z.literal("not observable")]),
  suspectThreshold: z.number(),
  labels: z
    .object({
      by: z.string(),
      values: z.array(CountedOutcomes.extend({ value: z.string().optional() })),
      others: CountedOutcomes.optional(),
    })
    .optional(),
  periods: z.array(
    z.object({
      start: z.iso.datetime(),
      events: z.number(),
      deniedBefore: z.number(),
      deniedAfter: z.number(),
    }),
  ),
});

const Absent = z.object({
  absent: z.string().describe("Why this part of the review is not there."),
});

const Place = z.object({ line: z.int(), column: z.int() });

const Problem = z.object({
  message: z.string(),
  line: z.int(),
  column: z.int(),
  offset: z.int(),
  length: z.int(),
  end: Place,
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
  end: Place.describe(
    "Where the text of the finding ends, behind its last character.",
  ),
  docs: z.string().describe("Where its code is documented."),
  message: z.string(),
  frame: z.string(),
  fix: z.string().optional(),
  edits: z
    .array(z.object({ offset: z.int(), length: z.int(), text: z.string() }))
    .optional()
    .describe("The fix as other texts for stretches of the file."),
  keepsMeaning: z
    .boolean()
    .optional()
    .describe("Whether it is proven that the edits change no decision."),
  removes: z
    .boolean()
    .optional()
    .describe("Whether the edits leave out something that is written."),
  changes: z
    .array(z.string())
    .optional()
    .describe("What the edits change, in the words of a diff."),
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
      end: Place,
    }),
  ),
  coverage: z.object({
    enabled: z.array(z.object({ rule: z.string(), tests: z.int() })),
    notReached: z.array(z.string()),
    disabled: z.array(z.string()),
  }),
});

const ImpactOrAbsent = z.union([ImpactSchema, Absent]);

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
      impact: ImpactOrAbsent.optional().describe(
        "Past events of its environment, where several rule sets are judged.",
      ),
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
      operation: z.enum(["create", "update", "replace", "delete", "same"]),
      type: z.string(),
      name: z.string(),
      properties: z
        .array(
          z.object({
            name: z.string(),
            before: z.string().optional(),
            after: z.string().optional(),
          }),
        )
        .optional(),
      effects: z
        .array(z.object({ risk: z.enum(RISKS), text: z.string() }))
        .optional(),
    }),
  ),
  differences: z.array(z.string()),
  catchesUp: z
    .array(z.string())
    .describe("What it does because the base is not in force yet."),
});

const Policies = z.object({
  packs: z.array(z.string()),
  violations: z.array(
    z.object({
      policy: z.string(),
      pack: z.string(),
      isAdvisory: z.boolean(),
      resource: z.string().optional(),
      message: z.string(),
    }),
  ),
});

const FirstAndLast = z.object({ first: z.string(), last: z.string() });

const UsageSchema = z.object({
  range: z.object({ start: z.string(), end: z.string() }),
  events: z.int(),
  decidedByNone: z.int().describe("Events that no rule matches."),
  rules: z.array(
    z.object({
      name: z.string(),
      action: z.enum(["allow", "deny"]),
      verdict: z.enum([
        "decides",
        "cannot tell",
        "overruled",
        "never",
        "disabled",
      ]),
      decided: z.int(),
      time: FirstAndLast.optional(),
      mayHaveDecided: z.int(),
      matched: z.int(),
      overruledBy: z.array(z.object({ rule: z.string(), events: z.int() })),
      neverFilled: z.array(z.string()),
      terms: z.array(
        z.object({
          term: z.string(),
          isException: z.boolean(),
          events: z.int(),
          time: FirstAndLast.optional(),
          undetermined: z.int(),
        }),
      ),
    }),
  ),
  fields: z.array(
    z.object({ field: z.string(), known: z.int(), filled: z.int() }),
  ),
  assumedNotSent: z.array(z.string()),
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

/** The fields that a review and a failed review share. */
const subject = {
  purpose: Purpose,
  file: z.string().describe("What the rule file is called."),
  commit: z.string().optional().describe("Git commit of what is reviewed."),
  environment: z.string().optional().describe("Whose rules these are."),
  scope: Scope,
};

/** The JSON of a review, version 1; unknown fields are ignored. */
export const ReviewSchema: z.ZodType<Review> = z.object({
  version: z.literal(1),
  ...subject,
  base: z
    .object({
      name: z.string(),
      note: z.string().optional(),
      isMissing: z.boolean().optional(),
      isBehind: z.boolean().optional(),
      tests: z.int().optional(),
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
  impact: ImpactOrAbsent,
  usage: z
    .union([UsageSchema, Absent])
    .optional()
    .describe("What the rules of the file decided of past events."),
  minEvents: z
    .int()
    .describe("Conditions on past events are not judged by fewer of them."),
  maxUndetermined: z
    .number()
    .describe(
      "Percent of the past events; conditions on them are not judged if more are undetermined.",
    ),
  newlyAssumed: z
    .array(z.string())
    .describe("Headers that the file newly says no client sends."),
  plan: z
    .union([Plan, Absent])
    .optional()
    .describe("What the deployment does with the rules in force."),
  policies: z
    .union([Policies, Absent])
    .optional()
    .describe("What policies say of the deployment."),
  failure: z.string().optional().describe("Why a part could not be reviewed."),
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
