export {
  FAIL_CONDITIONS,
  FailConditionError,
  parseFailCondition,
  type FailCondition,
} from "./fail-condition";
export { formatFailedReview, type FailedReview } from "./failed-review";
export { formatReviewText } from "./format-review-text";
export { formatReviewHtml } from "./html/format-review-html";
export { formatReviewMarkdown } from "./markdown/format-review-markdown";
export { reviewMarker } from "./markdown/review-marker";
export { needsAttention } from "./needs-attention";
export {
  isAbsent,
  type ConditionOutcome,
  type Absent,
  type PlannedRuleSet,
  type Review,
  type ReviewedPlan,
  type ReviewFinding,
  type Risk,
  type RiskReason,
  type Verdict,
} from "./review";
export { type PlannedRules, type PlanSubject } from "./review-plan";
export { MIN_EVENTS, reviewRules, type ReviewSubject } from "./review-rules";
export { FailedReviewSchema, ReviewSchema } from "./schema/review-schema";
export { RISK_RULES, type RiskRule } from "./risk-rules";
