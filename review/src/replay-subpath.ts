export { assumedHeaders, type AssumedHeaders } from "./replay/assumed-headers";
export { mayChange } from "./replay/impact-numbers";
export {
  type Attribute,
  type Change,
  type Estimate,
  type Impact,
  type Outcomes,
  type Period,
  type RuleImpact,
  type RuleState,
  type TopValue,
} from "./replay/impact";
export {
  impactOf,
  type ImpactOptions,
  type ReplayProgress,
} from "./replay/impact-of";
export { impossibleOutcomes } from "./replay/compare-decisions";
export { type EventGroup } from "./replay/event-group";
export { measureImpact } from "./replay/measure-impact";
export {
  unreadableIn,
  type RowCounts,
  type UnreadableRows,
} from "./replay/row-counts";
export {
  replayRange,
  type ReplayOptions,
  type ReplayRange,
} from "./replay/replay-options";
export { formatImpactMarkdown, formatImpactText } from "./report/impact-report";
export { formatUsageHtml, formatUsageText } from "./report/usage-report";
export {
  countUsage,
  UsageCounter,
  type UsageOptions,
} from "./usage/usage-counter";
export {
  isUnusedTerm,
  type FieldUsage,
  type FirstAndLast,
  type RuleUsage,
  type RuleVerdict,
  type TermUsage,
  type Usage,
} from "./usage/usage";
export {
  impactAndUsageOf,
  usageOf,
  type EventsUsageOptions,
} from "./usage/usage-of";
