/**
 * What our other packages build upon. It is not for programs: a name may change or go with
 * each version.
 */
export { assertNever } from "./assert-never";
export { TimeLimit } from "./time-limit";
export * from "./core/core";
export { coreOf } from "./core/lower";
export { longestIncreasing } from "./diff/list-edits";
export { RuleExpressions } from "./diff/rule-expressions";
export { compileCore, isLogic } from "./eval/compile-expression";
export { type Part, partsOf, valueOf } from "./eval/part";
export * from "./language/regex/pattern-tree";
export * from "./language/request/bot-flags";
export { partOfExpression } from "./language/types/check-expression";
export { identities, lintSet } from "./lint/lint-rules";
export { LintedSet } from "./lint/set/linted-set";
export { nearest } from "./lint/set/nearest";
export { effectText } from "./report/describe/describe-diff";
export { describeRequest } from "./report/describe/describe-request";
export { grouped, count, describeRange } from "./report/describe/numbers";
export { firstOf, shortened } from "./report/describe/shortened";
export {
  cutColumns,
  padColumns,
  visibleLines,
} from "./report/describe/visible-text";
export * from "./report/describe/block";
export { diffBlocks } from "./report/diff-report";
export { markup, type Markup, type MarkupPart } from "./report/markup";
export { printHtml } from "./report/print-html";
export { printMarkdown } from "./report/print-markdown";
export { codeMarkdown } from "./report/markdown/markdown";
export { printText } from "./report/print-text";
export * from "./rule-set/rule-walk";
export { isKnownRule } from "./rule-set/rule";
export { foundAt } from "./project-file";
