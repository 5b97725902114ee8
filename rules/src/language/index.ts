export type {
  BinaryOperator,
  Expression,
  FunctionName,
  Node,
  NodeOf,
  OrderOperator,
  QuantifierName,
} from "./ast";
export { botFlags, type BotFlags } from "./bot-flags";
export { checkExpression, type CheckedExpression } from "./check-expression";
export { codeFrame } from "./code-frame";
export {
  compileExpression,
  type CompiledExpression,
  type EvaluationResult,
  type PartialResult,
} from "./compile-expression";
export { eventAsRuleRequest } from "./event-as-rule-request";
export { FIELDS, type Field, type FieldType } from "./fields";
export { formatExpression } from "./format-expression";
export { findHeader } from "./header-names";
export {
  isInNetwork,
  parseIp,
  parseNetwork,
  type IpAddress,
  type IpNetwork,
} from "@devid/sdk/ip-address";
export { knownCrawler, type KnownCrawler } from "./known-crawler";
export {
  MAX_LEVELS,
  MAX_NODES,
  MAX_PATTERN_LENGTH,
  MAX_SOURCE_LENGTH,
} from "./limits";
export { parseExpression } from "./parse-expression";
export { childrenOf, postOrder } from "./post-order";
export { printExpression } from "./print-expression";
export type { ExpressionProblem, Span } from "./problem";
export {
  UNKNOWN,
  type PartialRuleRequest,
  type RuleRequest,
} from "./rule-request";
export type { ValueKind, ValueType } from "./value-type";
