export { expressionProblem } from "./expression-problem";
export type { ExpressionPlace, FilePlace } from "./file-place";
export { openRuleFile, type RuleFile } from "./open-rule-file";
export { parseRuleFile, readRuleFile } from "./read-rule-file";
export { RuleFileContent } from "./rule-file-content";
export { RuleFileError, type RuleFileProblem } from "./rule-file-error";
export { ruleFileText } from "./rule-file-text";
export type { Expectation, RuleTest } from "./rule-test";
