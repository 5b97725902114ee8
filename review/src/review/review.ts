import { z } from "zod";
import { Impact } from "../replay/impact";
import type { Plain } from "@devid/rules/internals";
import { Usage } from "../usage/usage";
import {
  FindingSchema,
  FoundRequestSchema,
  RuleSetDiffSchema,
  TestsSchema,
} from "./part-schemas";

const Absent = z.object({
  absent: z.string().describe("Why this part of the review is not there."),
});
/** Stands for a part of a review that is absent, and says why. */
export type Absent = Plain<z.output<typeof Absent>>;

/** Whether a part of a review is absent. */
export function isAbsent(part: object): part is Absent {
  return "absent" in part;
}

/** A part of a review, where it is there. */
export const presentPart = <Part extends object>(
  part: Part | Absent | undefined,
): Part | undefined =>
  part === undefined || isAbsent(part) ? undefined : part;

/** How dangerous a change may be, from the lowest risk to the highest. */
export const RISKS = ["low", "medium", "high"] as const;
const Risk = z.enum(RISKS);
/** A level of risk. */
export type Risk = z.output<typeof Risk>;

const RiskReason = z.object({
  /** Code of the risk rule that gives the reason, as docs/review.md lists them. */
  code: z.string(),
  risk: Risk,
  text: z.string(),
  /** `shop of Production (ae_1)`; absent if only one change is judged by past events. */
  ruleSet: z.string().optional().describe("The rule set that it is about."),
});
/** A reason why a change has a certain risk. */
export type RiskReason = Plain<z.output<typeof RiskReason>>;

const Verdict = z.object({
  /** The highest risk of all reasons; `low` if there are none. */
  risk: Risk,
  /** The reasons, the highest risk first. */
  reasons: z.array(RiskReason),
  /** An example, a proof that there is none, or that it is unknown. */
  getsThrough: FoundRequestSchema.describe(
    "Whether a request gets through that did not before.",
  ),
});
/** The summary for a reviewer. */
export type Verdict = Plain<z.output<typeof Verdict>>;

const ReviewFinding = FindingSchema.extend({
  isKnown: z
    .boolean()
    .describe("Whether the rules that are compared with have it, too."),
});
/** A finding, and whether the rules of the base already have it. */
export type ReviewFinding = Plain<z.output<typeof ReviewFinding>>;

const ConditionOutcome = z.object({
  /** The condition as the user writes it: `newly-denied>1%`. */
  condition: z.string(),
  /** A condition that cannot be judged fails the review, too. */
  outcome: z.enum(["holds", "does not hold", "cannot be judged"]),
  /** The number or fact that the outcome rests on. */
  found: z.string(),
});
/** Whether a condition under which a review fails holds. */
export type ConditionOutcome = Plain<z.output<typeof ConditionOutcome>>;

const operations = ["create", "update", "replace", "delete", "same"] as const;

const ImpactOrAbsent = z.union([Impact, Absent]);

const PlannedRuleSet = z.object({
  /** The resource's name in the program. */
  name: z.string(),
  operation: z.enum(operations),
  /**
   * The environment of the rules, in words: `Production (ae_1)`; absent while
   * it is unknown.
   */
  environment: z.string().optional(),
  /** Whether this rule set is the one that the rule file describes. */
  isReviewed: z.boolean(),
  /** The changes from the rules in force to the planned rules. */
  diff: z.union([RuleSetDiffSchema, Absent]),
  /**
   * What its change would have done. Absent if `Review.impact` has it, and for a rule set
   * that is not judged.
   */
  impact: ImpactOrAbsent.optional().describe(
    "Past events of its environment, where several rule sets are judged.",
  ),
  /** Where the rules in force were read from: the service, or the stack's state. */
  inForceFrom: z.enum(["service", "state"]),
  /**
   * Whether the rules in force match the resource's `expectedInForce`; absent
   * if it sets none, or if the service was not asked.
   */
  isExpectedInForce: z.boolean().optional(),
  /**
   * The guard settings of the resource that the deployment changes:
   * `maxDeletedPercent`, from `50` to `100`.
   */
  settings: z.array(
    z.object({
      name: z.string(),
      /**
       * The value as JSON; absent if it is not set, and `[secret]` or `[unknown]`
       * if the preview does not show it.
       */
      before: z.string().optional(),
      after: z.string().optional(),
      /** Whether the new value lets through more changes than the old one. */
      isLoosened: z.boolean(),
    }),
  ),
});
/** What a deployment would do with one filtering rule set. */
export type PlannedRuleSet = Plain<z.output<typeof PlannedRuleSet>>;

const PlannedResource = z.object({
  /** `same`: only options of the program change. */
  operation: z.enum(operations),
  /** `Webhook`, or the whole type of a resource that is not devid's. */
  type: z.string(),
  name: z.string(),
  /**
   * The inputs and options that change; for a new resource all that are set. A
   * value is JSON; absent if it is not set. Secrets are `"[secret]"`.
   */
  properties: z
    .array(
      z.object({
        name: z.string(),
        before: z.string().optional(),
        after: z.string().optional(),
      }),
    )
    .optional(),
  /** What the change does to those who use the resource. */
  effects: z.array(z.object({ risk: Risk, text: z.string() })).optional(),
});
/** What a deployment would do with a resource other than a rule set. */
export type PlannedResource = Plain<z.output<typeof PlannedResource>>;

const ReviewedPlan = z.object({
  /** Name of the preview: `preview.json`. */
  name: z.string(),
  /** `project/stack` */
  stack: z.string(),
  /**
   * In the order of the preview. Unchanged rule sets are included if the
   * preview shows them.
   */
  ruleSets: z.array(PlannedRuleSet),
  /**
   * All other resources that the deployment creates, updates, replaces or
   * deletes, or whose options change.
   */
  others: z.array(PlannedResource),
  /**
   * Where the deployment differs from the rule file, one sentence for each
   * difference.
   */
  differences: z.array(z.string()),
});
/**
 * What a deployment would do, according to its preview, and how that differs
 * from the rule file.
 */
export type ReviewedPlan = Plain<z.output<typeof ReviewedPlan>>;

const PolicyReport = z.object({
  /** `devid 0.1.0` */
  packs: z.array(z.string()),
  /** The violations; a resource that a policy accepts has none. */
  violations: z.array(
    z.object({
      policy: z.string(),
      pack: z.string(),
      /** A deployment stops at a violation that is not advisory. */
      isAdvisory: z.boolean(),
      /** `Webhook hook`; absent for a violation of the whole stack. */
      resource: z.string().optional(),
      message: z.string(),
    }),
  ),
});
/** The violations that the policy packs of a deployment report. */
export type PolicyReport = Plain<z.output<typeof PolicyReport>>;

/** The fields that a review and a failed review share. */
const subject = {
  /** A `recovery` puts the rules of the main branch in force again, unchanged. */
  purpose: z
    .enum(["change", "recovery"])
    .describe(
      "recovery: the rules of the main branch are to be put in force again.",
    ),
  file: z.string().describe("What the rule file is called."),
  /** 40 hexadecimal digits; absent if it is unknown. */
  commit: z.string().optional().describe("Git commit of what is reviewed."),
  /** In words: `Production (ae_1)`. */
  environment: z.string().optional().describe("Whose rules these are."),
  /** The environment and the stack as the user named them. */
  scope: z
    .object({
      environment: z.string().optional(),
      stack: z.string().optional(),
    })
    .describe("Which comment this is, next to the file."),
};

/** The JSON of a review, version 1; unknown fields are ignored. */
export const ReviewSchema = z.object({
  /** An incompatible format gets another number. */
  version: z.literal(1),
  ...subject,
  base: z
    .object({
      name: z.string(),
      /**
       * What is unusual about the base, for example that the file does not exist
       * there.
       */
      note: z.string().optional(),
      /**
       * Whether the file does not exist in the base. What newly gets through is
       * then unknown.
       */
      isMissing: z.boolean().optional(),
      /** The number of tests in the file of the base; absent for rules without a file. */
      tests: z.int().optional(),
    })
    .describe("What it is compared with."),
  verdict: Verdict,
  /** Empty unless the user set conditions. */
  conditions: z
    .array(ConditionOutcome)
    .describe("What was named with --fail-on."),
  diff: z.union([RuleSetDiffSchema, Absent]),
  /** In the order of their places. */
  findings: z.array(ReviewFinding),
  tests: z.union([TestsSchema, Absent]),
  /**
   * What the change would have done to past events. If the file describes several rule
   * sets, this is the impact of the first one. `plan` has the impacts of the others.
   */
  impact: ImpactOrAbsent,
  /** Absent if that was not asked for. */
  usage: z
    .union([Usage, Absent])
    .optional()
    .describe("What the rules of the file decided of past events."),
  minEvents: z
    .int()
    .describe("Conditions on past events are not judged by fewer of them."),
  /** Newly denied and newly allowed events are counted apart. */
  maxUndetermined: z
    .number()
    .describe(
      "Percent of the past events; conditions on them are not judged if more are undetermined.",
    ),
  /** They count as unknown in this review. */
  newlyAssumed: z
    .array(z.string())
    .describe("Headers that the file newly says no client sends."),
  /** Absent if no preview was given. */
  plan: z
    .union([ReviewedPlan, Absent])
    .optional()
    .describe("What the deployment does with the rules in force."),
  /** Absent if no events of the preview were given. */
  policies: z
    .union([PolicyReport, Absent])
    .optional()
    .describe("What policies say of the deployment."),
  /**
   * Such as a key that is refused; absent if all was reviewed. What needs neither the
   * service nor a preview is in the review.
   */
  failure: z.string().optional().describe("Why a part could not be reviewed."),
});
/** What a reviewer of a rule file sees. It is plain data, which JSON can hold. */
export type Review = Plain<z.output<typeof ReviewSchema>>;

/** The fields that the head of a report shows. */
export type ReportSubject = Pick<
  Review,
  "file" | "scope" | "purpose" | "commit" | "environment"
> & { readonly base?: { readonly name: string } };

const FailedReview = z.object({
  ...subject,
  base: z.string().optional().describe("What it was to be compared with."),
  message: z.string().describe("Why there is no review, in lines."),
});
/** A run that failed before it could make a review. */
export type FailedReview = Plain<z.output<typeof FailedReview>>;

/** The JSON of a review that ended in an error, version 1. */
export const FailedReviewSchema = z.object({
  version: z.literal(1),
  failed: FailedReview,
});
