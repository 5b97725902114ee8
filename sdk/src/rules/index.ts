export { botFlags, type BotFlags } from "./bot-flags";
export {
  checkRuleFile,
  isRuleFile,
  type RuleFileFinding,
} from "./check-rule-file";
export { evaluateLine, type LineAnswer } from "./evaluate-line";
export {
  compileRuleSet,
  type CompiledRuleSet,
  type RefusedRule,
  type RuleSetDecision,
  type RuleTrace,
} from "./evaluate-rule-set";
export * from "./expression";
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
} from "./reasoning";
export { Rule, RuleContent, Rules } from "./rule";
export {
  parseRuleFile,
  readRuleFile,
  RuleFileError,
  type RuleFileProblem,
} from "./rule-file";
