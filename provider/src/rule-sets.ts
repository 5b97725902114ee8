// What others need to read a rule set as state, previews and the service keep it.
export {
  fromRuleSetState,
  fromService,
  RuleSetState,
} from "./resources/filtering-rule-set/rule-set-state";
export { ruleFileText } from "./resources/filtering-rule-set/rule-file-text";
export { UNKNOWN_TEXT } from "./adapters/dynamic/wire";
