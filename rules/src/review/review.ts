import type { RuleSetDiff } from "../diff/rule-change";
import type { Impact } from "../replay/impact";
import type { RuleFileFinding } from "../rule-file/check-rule-file";
import type { RuleTestReport } from "../rule-file/run-rule-tests";
import type { FoundRequest } from "../solver/find-request";

/** A part of a review that is absent, and why. */
export interface Absent {
  readonly absent: string;
}

/** Whether a part of a review is absent. */
export function isAbsent(part: object): part is Absent {
  return "absent" in part;
}

/** How much a change may do, from the least on. */
export const RISKS = ["low", "medium", "high"] as const;
export type Risk = (typeof RISKS)[number];

/** Why a change is of some risk. */
export interface RiskReason {
  /** Code of the rule that says so, as docs/review.md lists them. */
  readonly code: string;
  readonly risk: Risk;
  readonly text: string;
}

/** What a reviewer has to know first. */
export interface Verdict {
  /** The highest risk of the reasons; `low` without any. */
  readonly risk: Risk;
  /** The gravest first. */
  readonly reasons: readonly RiskReason[];
  /** Whether a request gets through that did not before: an example, a proof that there is none, or neither. */
  readonly getsThrough: FoundRequest;
}

/** A finding, and whether the rules that are compared with have it, too. */
export interface ReviewFinding extends RuleFileFinding {
  readonly isKnown: boolean;
}

/** Whether a condition holds under which a review fails. */
export interface ConditionOutcome {
  /** As it is written: `newly-denied>1%`. */
  readonly condition: string;
  /** What cannot be judged fails a review as well. */
  readonly outcome: "holds" | "does not hold" | "cannot be judged";
  /** What was found. */
  readonly found: string;
}

/** What a deployment would do with one filtering rule set. */
export interface PlannedRuleSet {
  /** The resource's name in the program. */
  readonly name: string;
  readonly operation: "create" | "update" | "replace" | "delete" | "same";
  /** Whose rules these are, in words: `Production (ae_1)`; absent while the environment is not known. */
  readonly environment?: string;
  /** Whether the rule file under review is meant to be this rule set. */
  readonly isReviewed: boolean;
  /** What changes from the rules in force to those that are planned. */
  readonly diff: RuleSetDiff | Absent;
  /** From where the rules in force were read: from the service, or from the stack's state. */
  readonly inForceFrom: "service" | "state";
  /** Whether the rules in force are those that its `expectedInForce` tells; absent where it has none, or the service was not asked. */
  readonly isExpectedInForce?: boolean;
  /** Settings of the resource's guards that the deployment changes: `maxDeletedPercent`, from `50` to `100`. */
  readonly settings: readonly {
    readonly name: string;
    /** As JSON; absent: not set. */
    readonly before?: string;
    readonly after?: string;
    /** Whether more is let through by it than before. */
    readonly isLoosened: boolean;
  }[];
}

/** What a deployment would do, as its preview says, next to what the rule file says. */
export interface ReviewedPlan {
  /** What the preview is called: `preview.json`. */
  readonly name: string;
  /** `project/stack` */
  readonly stack: string;
  /** In the order of the preview; those that stay as they are as well, where the preview shows them. */
  readonly ruleSets: readonly PlannedRuleSet[];
  /** Everything else that it creates, updates, replaces or deletes. */
  readonly others: readonly {
    readonly operation: "create" | "update" | "replace" | "delete";
    /** `Webhook`, or the whole type of what is not devid's. */
    readonly type: string;
    readonly name: string;
  }[];
  /** What the deployment does otherwise than the rule file says, a sentence each; empty: nothing. */
  readonly differences: readonly string[];
}

/** What a reviewer of a rule file sees: plain data, which may go through JSON. */
export interface Review {
  /** Number of this form; one that is read otherwise has another. */
  readonly version: 1;
  /** `recovery`: the rules of the main branch are to be put in force again, and no change of them is reviewed. */
  readonly purpose: "change" | "recovery";
  /** What the rule file is called. */
  readonly file: string;
  /** Git commit of what is reviewed, 40 hexadecimal digits, where it is known. */
  readonly commit?: string;
  /** Whose rules these are, in words: `Production (ae_1)`. */
  readonly environment?: string;
  /** Which comment this is, next to the file: the environment and the stack as they were asked for. */
  readonly scope: {
    readonly environment?: string;
    readonly stack?: string;
  };
  /** What it is compared with. */
  readonly base: {
    readonly name: string;
    /** What is special about it: that the file is not there, say. */
    readonly note?: string;
    /** Whether there was nothing to compare with, so that what gets through newly cannot be told from it. */
    readonly isMissing?: boolean;
  };
  readonly verdict: Verdict;
  /** Empty unless some were named. */
  readonly conditions: readonly ConditionOutcome[];
  readonly diff: RuleSetDiff | Absent;
  /** In the order of their places. */
  readonly findings: readonly ReviewFinding[];
  readonly tests: RuleTestReport | Absent;
  readonly impact: Impact | Absent;
  /** Conditions on past events are not judged by fewer of them. */
  readonly minEvents: number;
  /** What the deployment does with the rules in force; absent where no preview was given. */
  readonly plan?: ReviewedPlan | Absent;
}

/** What a report is of. */
export type ReportSubject = Pick<
  Review,
  "file" | "scope" | "purpose" | "commit" | "environment"
> & { readonly base?: { readonly name: string } };

/** A run that ended in an error before there was a review. */
export interface FailedReview extends Omit<ReportSubject, "base"> {
  /** What the file was to be compared with. */
  readonly base?: string;
  /** Why there is no review, in lines. */
  readonly message: string;
}
