export type {
  BinaryOperator,
  Expression,
  FunctionName,
  Node,
  NodeOf,
  OrderOperator,
  QuantifierName,
} from "./syntax/ast";
export { botFlags, type BotFlags } from "./bot-flags";
export {
  checkExpression,
  type CheckedExpression,
} from "./types/check-expression";
export { codeFrame } from "./syntax/code-frame";
export {
  compileExpression,
  type CompiledExpression,
  type EvaluationResult,
  type PartialResult,
} from "./eval/compile-expression";
export { eventAsRuleRequest } from "./event-as-rule-request";
export { FIELDS, type Field, type FieldType } from "./fields";
export { formatExpression } from "./syntax/format-expression";
export { findHeader } from "./header-names";
export {
  isInNetwork,
  parseIp,
  parseNetwork,
  type IpAddress,
  type IpNetwork,
} from "./ip-address";
export { knownCrawler, type KnownCrawler } from "./known-crawler";
export {
  MAX_LEVELS,
  MAX_NODES,
  MAX_PATTERN_LENGTH,
  MAX_SOURCE_LENGTH,
} from "./syntax/limits";
export { parseExpression } from "./syntax/parse-expression";
export { childrenOf, postOrder } from "./syntax/post-order";
export { printExpression } from "./syntax/print-expression";
export type { ExpressionProblem, Span } from "./syntax/problem";
export {
  UNKNOWN,
  type PartialRuleRequest,
  type RuleRequest,
} from "./rule-request";
export type { ValueKind, ValueType } from "./types/value-type";
