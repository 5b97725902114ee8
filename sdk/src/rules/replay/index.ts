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
