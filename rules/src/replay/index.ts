export { decisionComparison, type Comparison } from "./compare-decisions";
export { ANY_REQUEST, decidePartly, type PartialDecision } from "./rule-walk";
export {
  type Attribute,
  type Change,
  type Estimate,
  type Impact,
  type Outcomes,
  type Period,
  type RuleImpact,
  type TopValue,
} from "./impact";
export { impactOf, type ImpactOptions, type ReplayProgress } from "./impact-of";
export { impossibleOutcomes } from "./compare-decisions";
export { measureImpact } from "./measure-impact";
export { type ReplayOptions } from "./replay-options";
export { DeadlineTooShortError, type ReadingEstimate } from "./plan-reading";
export { mayDecide } from "./rule-walk";
