import type {
  FoundRequest,
  RuleFileFinding,
  RuleSetDiff,
  RuleTestReport,
} from "..";
import type { Impact } from "../replay";

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

/** What a reviewer of a rule file sees: plain data, which may go through JSON. */
export interface Review {
  /** Number of this form; one that is read otherwise has another. */
  readonly version: 1;
  /** What the rule file is called. */
  readonly file: string;
  /** What it is compared with. */
  readonly base: {
    readonly name: string;
    /** What is special about it: that the file is not there, say. */
    readonly note?: string;
  };
  readonly verdict: Verdict;
  /** Empty unless some were named. */
  readonly conditions: readonly ConditionOutcome[];
  readonly diff: RuleSetDiff | Absent;
  /** In the order of their places. */
  readonly findings: readonly ReviewFinding[];
  readonly tests: RuleTestReport | Absent;
  readonly impact: Impact | Absent;
}
