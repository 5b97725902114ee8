export { all, any, fails, matches, not, type Condition } from "./condition";
export { findRequest, type FoundRequest } from "./find-request";
export { allows, passes, type CheckedRule } from "./rule-set-conditions";
