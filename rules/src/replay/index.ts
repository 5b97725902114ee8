export { decisionComparison, type Comparison } from "./compare-decisions";
export {
  ANY_REQUEST,
  decidePartly,
  type PartialDecision,
} from "./decide-partly";
export type {
  Attribute,
  Change,
  Estimate,
  Impact,
  Outcomes,
  Period,
  RuleImpact,
  TopValue,
} from "./impact";
export { impactOf, type ImpactOptions, type ReplayProgress } from "./impact-of";
export { impossibleOutcomes } from "./impossible-outcomes";
export { measureImpact } from "./measure-impact";
export type { ReplayOptions } from "./replay-options";
export {
  DeadlineTooShortError,
  type ReadingEstimate,
} from "./sample/plan-reading";
export { formatImpactMarkdown } from "./report/format-impact-markdown";
export { formatImpactText } from "./report/format-impact-text";
export { mayDecide } from "./rule-walk";
