export * from "./rule-file/check-rule-file";
export { lintToWrite } from "./rule-file/allowed-findings";
export { applyChanges, RuleChangeError } from "./diff/apply-changes";
export { diffRules, type DiffOptions } from "./diff/diff-rules";
export { findSteps } from "./diff/find-steps";
export * from "./diff/rule-change";
export { type ExpressionEdit } from "./diff/expression-edits";
export { type RuleSetEffect } from "./diff/effects";
export { evaluateLine, type LineAnswer } from "./explain/evaluate-line";
export {
  explainRules,
  type ExplainedRule,
  type Explanation,
  type TermRead,
  type TermTrace,
} from "./explain/explain-rules";
export * from "./language-subpath";
export { applyEdits, type TextEdit } from "./language/syntax/text-edit";
export { formatGithub } from "./report/machine/format-github";
export { formatJunit } from "./report/machine/format-junit";
export { formatSarif } from "./report/machine/format-sarif";
export * from "./report/machine/problem";
export * from "./report/describe/describe-lint";
export { FILE_CODES } from "./lint/file-codes";
export { explainLint } from "./report/text/explain-lint";
export { HeaderName } from "./rule-set/rule";
export { findingBlock, type Paint } from "./report/text/finding-block";
export { LINTS } from "./lint/lints";
export {
  isIncompleteLint,
  lintRules,
  type LintFinding,
} from "./lint/lint-rules";
export { type Lint, type Severity } from "./lint/set/lint";
export { type LintOptions } from "./lint/set/linted-set";
export {
  all,
  allows,
  any,
  fails,
  matches,
  not,
  type Condition,
} from "./solver/condition";
export { findRequest, type FoundRequest } from "./solver/find-request";
export { codeFence, codeSpan } from "./report/markdown/markdown";
export { describeEffect, type EffectPhrase } from "./diff/describe-effect";
export { type DiffNames } from "./report/describe/describe-diff";
export { formatDiffMarkdown, formatDiffText } from "./report/diff-report";
export { formatSteps, type StepFormat } from "./report/text/format-diff-text";
export * from "./report/hide-keys";
export { columnsOf, visibleText, wrap } from "./report/describe/visible-text";
export { Rule, RuleContent, Rules, type CheckedRule } from "./rule-set/rule";
export { rulesDigest, RULES_DIGEST_PATTERN } from "./rule-set/rules-digest";
export * from "./rule-file/fix-rule-file";
export { formatRuleFile } from "./rule-file/format-rule-file";
export { ruleFileYaml } from "./rule-file/rule-file-yaml";
export { withBlocks } from "./rule-file/unquoted-expressions";
export {
  decodeRuleFile,
  openCheckedRuleFile,
  openRuleFile,
  parseRuleFile,
  readRuleFile,
  type ExpressionPlace,
  type FilePlace,
  type RuleFile,
} from "./rule-file/rule-file";
export { RuleFileContent } from "./rule-file/rule-file-content";
export * from "./rule-file/rule-file-error";
export * from "./project-file";
export { parseYaml, YamlLimitError } from "./rule-file/bounded-yaml";
export { type Expectation, type RuleTest } from "./rule-file/rule-test";
export { testBlock } from "./report/text/test-block";
export * from "./rule-file/run-rule-tests";
export * from "./report/text/live-tests-text";
export * from "./rule-file/run-live-tests";
export {
  ANY_REQUEST,
  decidePartly,
  mayDecide,
  type PartialDecision,
} from "./rule-set/rule-walk";
