export {
  childrenOf,
  postOrder,
  type Expression,
  type Node,
  type NodeOf,
} from "./syntax/ast";
export {
  botFlags,
  knownCrawler,
  type BotFlags,
  type KnownCrawler,
} from "./request/bot-flags";
export {
  checkExpression,
  type CheckedExpression,
} from "./types/check-expression";
export {
  compileExpression,
  type CompiledExpression,
} from "./eval/compile-expression";
export type { EvaluationResult, PartialResult } from "./eval/evaluation";
export { eventAsRuleRequest } from "./request/event-as-rule-request";
export { FIELDS, type Field, type FieldType } from "./tables/fields";
export {
  FUNCTIONS,
  type FunctionName,
  type LanguageFunction,
  type QuantifierName,
} from "./tables/functions";
export {
  OPERATORS,
  type BinaryOperator,
  type Operator,
  type OrderOperator,
} from "./tables/operators";
export { KNOWN_HEADERS, type KnownHeader } from "./tables/headers";
export { languageReference } from "./tables/language-reference";
export { formatExpression } from "./syntax/format-expression";
export { canonicalHeaderName, findHeader } from "./request/header-names";
export {
  isInNetwork,
  parseIp,
  parseNetwork,
  type IpAddress,
  type IpNetwork,
} from "./request/ip-address";
export { MAX_LEVELS, MAX_NODES, MAX_SOURCE_LENGTH } from "./syntax/lexer";
export { MAX_PATTERN_LENGTH } from "./regex/pattern";
export { parseExpression } from "./syntax/parse-expression";
export { printExpression } from "./syntax/print-expression";
export { replaceInLiterals } from "./syntax/replace-in-literals";
export { codeFrame, type ExpressionProblem, type Span } from "./syntax/problem";
export {
  UNKNOWN,
  type PartialRuleRequest,
  type RuleRequest,
} from "./request/rule-request";
export type { ValueKind, ValueType } from "./types/value-type";
