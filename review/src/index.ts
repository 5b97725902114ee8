export {
  FailConditionError,
  needsAttention,
  parseFailCondition,
  type FailCondition,
} from "./review/fail-condition";
export {
  isAbsent,
  type ConditionOutcome,
  type Absent,
  type FailedReview,
  type PlannedResource,
  type PlannedRuleSet,
  type PolicyReport,
  type Review,
  type ReviewedPlan,
  type ReviewFinding,
  type Risk,
  type RiskReason,
  type Verdict,
} from "./review/review";
export { type PlannedRules, type PlanSubject } from "./review/review-plan";
export {
  MAX_UNDETERMINED,
  MIN_EVENTS,
  reviewRules,
  type ReviewSubject,
} from "./review/review-rules";
export {
  formatApplied,
  type Applied,
  type AppliedResource,
} from "./report/applied-report";
export {
  formatFailedReview,
  formatReviewHtml,
  formatReviewMarkdown,
  formatReviewText,
} from "./report/review-report";
export { reviewMarker, scopeMarker } from "./report/review-marker";
export { suiteOfFailure, suitesOfReview } from "./report/suites-of-review";
