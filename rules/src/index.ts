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
export { evaluateLine, type LineAnswer } from "./rule-set/evaluate-line";
export {
  compileRuleSet,
  type CompiledRuleSet,
  type RefusedRule,
  type RuleSetDecision,
  type RuleTrace,
} from "./rule-set/evaluate-rule-set";
export * from "./language";
export { findingBlock, type Paint } from "./report/finding-block";
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
  matches,
  not,
  noneMatches,
  type CheckedRule,
  type Condition,
} from "./solver/condition";
export { findRequest, type FoundRequest } from "./solver/find-request";
export {
  codeSpan,
  countChanges,
  describeEffect,
  formatDiffMarkdown,
  formatDiffText,
  formatSteps,
  hideKeys,
  KEY_PATTERN,
  visibleText,
  withoutKeys,
  type DiffNames,
  wrap,
  type EffectPhrase,
  type Redact,
  type StepFormat,
} from "./report";
export { Rule, RuleContent, Rules } from "./rule-set/rule";
export { rulesDigest, RULES_DIGEST_PATTERN } from "./rule-set/rules-digest";
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
