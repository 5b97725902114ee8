// What others need to read a rule set as state, previews and the service keep it.
export {
  fromRuleSetState,
  fromService,
  RuleSetState,
} from "./resources/filtering-rule-set/rule-set-state";
export { UNKNOWN } from "./lifecycle/unknown";
