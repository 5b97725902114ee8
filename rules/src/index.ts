export {
  checkRuleFile,
  isRuleFile,
  type RuleFileFinding,
} from "./rule-file/check-rule-file";
export {
  applyChanges,
  diffRules,
  findSteps,
  RuleChangeError,
  STEP_ORDER,
  type Changed,
  type ExpressionEdit,
  type RuleChange,
  type RuleSetDiff,
  type RuleSetEffect,
  type RuleStep,
} from "./diff";
export { evaluateLine, type LineAnswer } from "./evaluate-line";
export {
  compileRuleSet,
  type CompiledRuleSet,
  type RefusedRule,
  type RuleSetDecision,
  type RuleTrace,
} from "./evaluate-rule-set";
export * from "./language";
export { findingBlock, type Paint } from "./finding-block";
export {
  LINTS,
  lintRules,
  type Lint,
  type LintFinding,
  type LintOptions,
  type Severity,
} from "./lint";
export {
  all,
  allows,
  any,
  fails,
  findRequest,
  matches,
  not,
  passes,
  type CheckedRule,
  type Condition,
  type FoundRequest,
} from "./solver";
export {
  codeSpan,
  countChanges,
  describeEffect,
  formatDiffMarkdown,
  formatDiffText,
  formatSteps,
  visibleText,
  wrap,
  type EffectPhrase,
  type StepFormat,
} from "./report";
export { Rule, RuleContent, Rules } from "./rule";
export { rulesDigest, RULES_DIGEST_PATTERN } from "./rules-digest";
export { formatRuleFile } from "./rule-file/format-rule-file";
export {
  expressionProblem,
  openRuleFile,
  parseRuleFile,
  readRuleFile,
  RuleFileContent,
  RuleFileError,
  ruleFileText,
  type Expectation,
  type ExpressionPlace,
  type FilePlace,
  type RuleFile,
  type RuleFileProblem,
  type RuleTest,
} from "./rule-file";
export {
  describeDecision,
  runRuleTests,
  testBlock,
  updateExpectations,
  type ExpectationChange,
  type RuleCoverage,
  type RuleTestReport,
  type RuleTestResult,
} from "./rule-tests";
