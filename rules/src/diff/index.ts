export { applyChanges } from "./apply-changes";
export { diffRules } from "./diff-rules";
export type { ExpressionEdit } from "./expression-edits";
export { findSteps } from "./find-steps";
export {
  STEP_ORDER,
  type Changed,
  type RuleChange,
  type RuleSetDiff,
  type RuleStep,
} from "./rule-change";
export { RuleChangeError } from "./rule-change-error";
export type { RuleSetEffect } from "./rule-set-effect";
