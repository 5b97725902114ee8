export * from "./language";
export {
  compileExpression,
  type CompiledExpression,
} from "./eval/compile-expression";
export type {
  EvaluationResult,
  PartialResult,
} from "./eval/compile-expression";
export * from "./rule-set/evaluate-rule-set";
