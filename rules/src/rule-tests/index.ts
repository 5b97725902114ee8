export {
  runRuleTests,
  type RuleCoverage,
  type RuleTestReport,
  type RuleTestResult,
} from "./run-rule-tests";
export { describeDecision, testBlock } from "./test-block";
export {
  updateExpectations,
  type ExpectationChange,
} from "./update-expectations";
