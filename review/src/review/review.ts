import type {
  FoundRequest,
  RuleFileFinding,
  RuleSetDiff,
  RuleTestReport,
} from "@devid/rules";
import type { Impact } from "../replay/impact";
import type { Usage } from "../usage/usage";

/** Stands for a part of a review that is absent, and says why. */
export interface Absent {
  readonly absent: string;
}

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
/** A level of risk. */
export type Risk = (typeof RISKS)[number];

/** A reason why a change has a certain risk. */
export interface RiskReason {
  /** Code of the risk rule that gives the reason, as docs/review.md lists them. */
  readonly code: string;
  readonly risk: Risk;
  readonly text: string;
  /** `shop of Production (ae_1)`; absent if only one change is judged by past events. */
  readonly ruleSet?: string;
}

/** The summary for a reviewer. */
export interface Verdict {
  /** The highest risk of all reasons; `low` if there are none. */
  readonly risk: Risk;
  /** The reasons, the highest risk first. */
  readonly reasons: readonly RiskReason[];
  /**
   * Whether a request gets through that did not before: an example, a proof that there
   * is none, or that it is unknown.
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

type Operation = "create" | "update" | "replace" | "delete" | "same";

/** What a deployment would do with one filtering rule set. */
export interface PlannedRuleSet {
  /** The resource's name in the program. */
  readonly name: string;
  readonly operation: Operation;
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
   * What its change would have done to past events of its environment. Absent if
   * `Review.impact` has it, and for a rule set that is not judged.
   */
  readonly impact?: Impact | Absent;
  /** Where the rules in force were read from: the service, or the stack's state. */
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
  readonly operation: Operation;
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
  readonly effects?: readonly { readonly risk: Risk; readonly text: string }[];
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

/** The fields that a review and a failed review share. */
interface Subject {
  /** A `recovery` puts the rules of the main branch in force again, unchanged. */
  readonly purpose: "change" | "recovery";
  /** What the rule file is called. */
  readonly file: string;
  /** Git commit of what is reviewed, 40 hexadecimal digits; absent if it is unknown. */
  readonly commit?: string;
  /** Whose rules these are, in words: `Production (ae_1)`. */
  readonly environment?: string;
  /**
   * Which comment this is, next to the file: the environment and the stack as the user
   * named them.
   */
  readonly scope: { readonly environment?: string; readonly stack?: string };
}

/**
 * What a reviewer of a rule file sees. It is plain data, which JSON can hold: version 1.
 * Readers ignore fields that they do not know.
 */
export interface Review extends Subject {
  /** An incompatible format gets another number. */
  readonly version: 1;
  /** What the file is compared with. */
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
    /** The number of tests in the file of the base; absent for rules without a file. */
    readonly tests?: number;
  };
  readonly verdict: Verdict;
  /** What was named with `--fail-on`; empty unless the user set conditions. */
  readonly conditions: readonly ConditionOutcome[];
  readonly diff: RuleSetDiff | Absent;
  /** In the order of their places. */
  readonly findings: readonly ReviewFinding[];
  readonly tests: RuleTestReport | Absent;
  /**
   * What the change would have done to past events. If the file describes several rule
   * sets, this is the impact of the first one. `plan` has the impacts of the others.
   */
  readonly impact: Impact | Absent;
  /** What the rules of the file decided of past events; absent if that was not asked for. */
  readonly usage?: Usage | Absent;
  /** Conditions on past events are not judged by fewer of them. */
  readonly minEvents: number;
  /**
   * Percent of the past events; conditions on them are not judged if more are
   * undetermined. Newly denied and newly allowed events are counted apart.
   */
  readonly maxUndetermined: number;
  /**
   * Headers that the file newly says no client sends. They count as unknown in this
   * review.
   */
  readonly newlyAssumed: readonly string[];
  /** What the deployment does with the rules in force; absent if no preview was given. */
  readonly plan?: ReviewedPlan | Absent;
  /** What policies say of the deployment; absent if no events of the preview were given. */
  readonly policies?: PolicyReport | Absent;
  /**
   * Why a part could not be reviewed, such as a key that is refused; absent if all was
   * reviewed. What needs neither the service nor a preview is in the review.
   */
  readonly failure?: string;
}

/** The fields that the head of a report shows. */
export type ReportSubject = Pick<
  Review,
  "file" | "scope" | "purpose" | "commit" | "environment"
> & { readonly base?: { readonly name: string } };

/** A run that failed before it could make a review. */
export interface FailedReview extends Subject {
  /** What it was to be compared with. */
  readonly base?: string;
  /** Why there is no review, in lines. */
  readonly message: string;
}
