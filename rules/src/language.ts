export {
  childrenOf,
  withChildren,
  postOrder,
  withBrackets,
  type Expression,
  type Node,
  type NodeOf,
} from "./language/syntax/ast";
export {
  botFlags,
  knownCrawler,
  type BotFlags,
  type KnownCrawler,
} from "./language/request/bot-flags";
export {
  checkExpression,
  type CheckedExpression,
  type ValueKind,
  type ValueType,
} from "./language/types/check-expression";
export { eventAsRuleRequest } from "./language/request/event-as-rule-request";
export { FIELDS, type Field, type FieldType } from "./language/tables/fields";
export {
  FUNCTIONS,
  type FunctionName,
  type LanguageFunction,
  type QuantifierName,
} from "./language/tables/functions";
export {
  OPERATORS,
  type BinaryOperator,
  type Operator,
  type OrderOperator,
} from "./language/tables/operators";
export { KNOWN_HEADERS, type KnownHeader } from "./language/tables/headers";
export { languageReference } from "./language/tables/language-reference";
export { formatExpression } from "./language/syntax/format-expression";
export {
  canonicalHeaderName,
  findHeader,
} from "./language/request/header-names";
export * from "./language/request/ip-address";
export {
  MAX_LEVELS,
  MAX_NODES,
  MAX_SOURCE_LENGTH,
} from "./language/syntax/lexer";
export { parseExpression } from "./language/syntax/parse-expression";
export { printExpression } from "./language/syntax/print-expression";
export {
  codeFrame,
  type ExpressionProblem,
  type Span,
} from "./language/syntax/problem";
export * from "./language/request/rule-request";
