export * from "./language";
export {
  compileExpression,
  type CompiledExpression,
  type EvaluationResult,
  type PartialResult,
} from "./eval/compile-expression";
export {
  compileRuleSet,
  type CompiledRuleSet,
  type RefusedRule,
  type RuleSetDecision,
  type RuleTrace,
} from "./rule-set/evaluate-rule-set";
