import type { RuleSetDiff } from "../diff/rule-change";
import type { Impact } from "../replay/impact";
import type { RuleFileFinding } from "../rule-file/check-rule-file";
import type { RuleTestReport } from "../rule-file/run-rule-tests";
import type { FoundRequest } from "../solver/find-request";
import type { Usage } from "../usage/usage";

/** Stands for a part of a review that is absent, and says why. */
export interface Absent {
  readonly absent: string;
}

/** Whether a part of a review is absent. */
export function isAbsent(part: object): part is Absent {
  return "absent" in part;
}

/** How dangerous a change may be, from the lowest risk to the highest. */
export const RISKS = ["low", "medium", "high"] as const;
/** A level of risk. */
export type Risk = (typeof RISKS)[number];

/** A reason why a change has a certain risk. */
export interface RiskReason {
  /**
   * Code of the risk rule that gives the reason, as docs/review.md lists them.
   */
  readonly code: string;
  readonly risk: Risk;
  readonly text: string;
}

/** The summary for a reviewer. */
export interface Verdict {
  /** The highest risk of all reasons; `low` if there are none. */
  readonly risk: Risk;
  /** The reasons, the highest risk first. */
  readonly reasons: readonly RiskReason[];
  /**
   * Whether a request gets through that was denied before: an example, a proof that
   * there is none, or that it is unknown.
   */
  readonly getsThrough: FoundRequest;
}

/** A finding, and whether the rules of the base already have it. */
export interface ReviewFinding extends RuleFileFinding {
  readonly isKnown: boolean;
}

/** Whether a condition under which a review fails holds. */
export interface ConditionOutcome {
  /** The condition as the user writes it: `newly-denied>1%`. */
  readonly condition: string;
  /** A condition that cannot be judged fails the review, too. */
  readonly outcome: "holds" | "does not hold" | "cannot be judged";
  /** The number or fact that the outcome rests on. */
  readonly found: string;
}

/** What a deployment would do with one filtering rule set. */
export interface PlannedRuleSet {
  /** The resource's name in the program. */
  readonly name: string;
  readonly operation: "create" | "update" | "replace" | "delete" | "same";
  /**
   * The environment of the rules, in words: `Production (ae_1)`; absent while
   * it is unknown.
   */
  readonly environment?: string;
  /** Whether this rule set is the one that the rule file describes. */
  readonly isReviewed: boolean;
  /** The changes from the rules in force to the planned rules. */
  readonly diff: RuleSetDiff | Absent;
  /**
   * What its change would have done to past events of its environment, for a plan
   * with several rule sets to judge. Absent for the rule set that `Review.impact`
   * is about, and for one that is not judged.
   */
  readonly impact?: Impact | Absent;
  /**
   * Where the rules in force were read from: the service, or the stack's state.
   */
  readonly inForceFrom: "service" | "state";
  /**
   * Whether the rules in force match the resource's `expectedInForce`; absent
   * if it sets none, or if the service was not asked.
   */
  readonly isExpectedInForce?: boolean;
  /**
   * The guard settings of the resource that the deployment changes:
   * `maxDeletedPercent`, from `50` to `100`.
   */
  readonly settings: readonly {
    readonly name: string;
    /**
     * The value as JSON; absent if it is not set, and `[secret]` or `[unknown]`
     * if the preview does not show it.
     */
    readonly before?: string;
    readonly after?: string;
    /** Whether the new value lets through more changes than the old one. */
    readonly isLoosened: boolean;
  }[];
}

/** What a deployment would do with a resource other than a rule set. */
export interface PlannedResource {
  /** `same`: only options of the program change. */
  readonly operation: "create" | "update" | "replace" | "delete" | "same";
  /** `Webhook`, or the whole type of a resource that is not devid's. */
  readonly type: string;
  readonly name: string;
  /**
   * The inputs and options that change; for a new resource all that are set. A
   * value is JSON; absent if it is not set. Secrets are `"[secret]"`.
   */
  readonly properties?: readonly {
    readonly name: string;
    readonly before?: string;
    readonly after?: string;
  }[];
  /** What the change does to those who use the resource. */
  readonly effects?: readonly {
    readonly risk: Risk;
    readonly text: string;
  }[];
}

/**
 * What a deployment would do, according to its preview, and how that differs
 * from the rule file.
 */
export interface ReviewedPlan {
  /** Name of the preview: `preview.json`. */
  readonly name: string;
  /** `project/stack` */
  readonly stack: string;
  /**
   * In the order of the preview. Unchanged rule sets are included if the
   * preview shows them.
   */
  readonly ruleSets: readonly PlannedRuleSet[];
  /**
   * All other resources that the deployment creates, updates, replaces or
   * deletes, or whose options change.
   */
  readonly others: readonly PlannedResource[];
  /**
   * Where the deployment differs from the rule file, one sentence for each
   * difference.
   */
  readonly differences: readonly string[];
  /**
   * What the deployment does because the base was merged and not applied yet, one
   * sentence each: `The plan adds ios, which is in main and not in force.` These
   * changes are reviewed already, so they are no difference.
   */
  readonly catchesUp: readonly string[];
}

/** The violations that the policy packs of a deployment report. */
export interface PolicyReport {
  /** `devid 0.1.0` */
  readonly packs: readonly string[];
  /** The violations; a resource that a policy accepts has none. */
  readonly violations: readonly {
    readonly policy: string;
    readonly pack: string;
    /** A deployment stops at a violation that is not advisory. */
    readonly isAdvisory: boolean;
    /** `Webhook hook`; absent for a violation of the whole stack. */
    readonly resource?: string;
    readonly message: string;
  }[];
}

/**
 * What a reviewer of a rule file sees. It is plain data, which JSON can hold.
 */
export interface Review {
  /** Version of this format; an incompatible format gets another number. */
  readonly version: 1;
  /** A `recovery` puts the rules of the main branch in force again, unchanged. */
  readonly purpose: "change" | "recovery";
  /** Name of the rule file. */
  readonly file: string;
  /**
   * Git commit that is reviewed, 40 hexadecimal digits; absent if it is
   * unknown.
   */
  readonly commit?: string;
  /** The environment of the rules, in words: `Production (ae_1)`. */
  readonly environment?: string;
  /**
   * Distinguishes several comments on one file: the environment and the stack as the
   * user named them.
   */
  readonly scope: {
    readonly environment?: string;
    readonly stack?: string;
  };
  /** The rules that the file is compared with. */
  readonly base: {
    readonly name: string;
    /**
     * What is unusual about the base, for example that the file does not exist
     * there.
     */
    readonly note?: string;
    /**
     * Whether the file does not exist in the base. What newly gets through is
     * then unknown.
     */
    readonly isMissing?: boolean;
    /**
     * Whether the branch to merge into has another version of the file by now.
     * What was merged and not applied is then unknown.
     */
    readonly isBehind?: boolean;
    /** The number of tests in the file of the base; absent for rules without a file. */
    readonly tests?: number;
  };
  readonly verdict: Verdict;
  /** Empty unless the user set conditions. */
  readonly conditions: readonly ConditionOutcome[];
  readonly diff: RuleSetDiff | Absent;
  /** In the order of their places. */
  readonly findings: readonly ReviewFinding[];
  readonly tests: RuleTestReport | Absent;
  /**
   * What the change would have done to past events. Of several rule sets that the
   * file describes, this is about the first; the plan has the others.
   */
  readonly impact: Impact | Absent;
  /** What the rules of the file decided of past events; absent if that was not asked for. */
  readonly usage?: Usage | Absent;
  /**
   * With fewer past events than this, conditions on events cannot be judged.
   */
  readonly minEvents: number;
  /**
   * Percent of the past events. If it is undetermined for more of them whether they are
   * newly denied, a condition on newly denied events cannot be judged. The same holds
   * for newly allowed events.
   */
  readonly maxUndetermined: number;
  /**
   * Headers that the file says no client sends, and the base does not. They count
   * as unknown in this review.
   */
  readonly newlyAssumed: readonly string[];
  /**
   * What the deployment does to the rules in force; absent if no preview was
   * given.
   */
  readonly plan?: ReviewedPlan | Absent;
  /** The violations of policies; absent if no event log of the preview was given. */
  readonly policies?: PolicyReport | Absent;
  /**
   * Why a part could not be reviewed, such as a refused key; absent if everything was
   * reviewed. The review still has all parts that need neither the service nor a
   * preview.
   */
  readonly failure?: string;
}

/** The fields that the head of a report shows. */
export type ReportSubject = Pick<
  Review,
  "file" | "scope" | "purpose" | "commit" | "environment"
> & { readonly base?: { readonly name: string } };

/** A run that failed before it could make a review. */
export interface FailedReview extends Omit<ReportSubject, "base"> {
  /** Name of the rules that the file should have been compared with. */
  readonly base?: string;
  /** Why there is no review; it may have several lines. */
  readonly message: string;
}
