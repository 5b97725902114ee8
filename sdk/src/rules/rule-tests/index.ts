export {
  runRuleTests,
  type RuleCoverage,
  type RuleTestReport,
  type RuleTestResult,
} from "./run-rule-tests";
export {
  updateExpectations,
  type ExpectationChange,
} from "./update-expectations";
