export {
  FAIL_CONDITIONS,
  FailConditionError,
  needsAttention,
  parseFailCondition,
  type FailCondition,
} from "./review/fail-condition";
export {
  FailedReviewSchema,
  isAbsent,
  ReviewSchema,
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
export { RISK_RULES, type RiskRule } from "./review/risk-rules";
export type { Applied, AppliedResource } from "./review/applied";
export { formatApplied } from "./report/format-applied";
export { formatFailedReview } from "./report/format-failed-review";
export { formatReviewHtml } from "./report/html/format-review-html";
export { formatReviewMarkdown } from "./report/markdown/format-review-markdown";
export { reviewMarker, scopeMarker } from "./report/markdown/review-marker";
export { formatReviewText } from "./report/text/format-review-text";
export { suiteOfFailure, suitesOfReview } from "./report/suites-of-review";
