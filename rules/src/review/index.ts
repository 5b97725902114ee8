export {
  FAIL_CONDITIONS,
  FailConditionError,
  needsAttention,
  parseFailCondition,
  type FailCondition,
} from "./fail-condition";
export {
  isAbsent,
  type ConditionOutcome,
  type Absent,
  type FailedReview,
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
export { FailedReviewSchema, ReviewSchema } from "./review-schema";
export { RISK_RULES, type RiskRule } from "./risk-rules";
