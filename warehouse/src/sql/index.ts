/**
 * Rules as SQL, for past events that are kept in a warehouse. Nothing here connects to
 * anything: an engine is the function `query`, which runs a text and yields rows.
 *
 * - `eventColumns(dialect, column)` makes `EventColumns` of the columns of a version 4
 *   event: `column("user_agent")` is SQL for that column, or undefined where the table
 *   has none.
 * - `impactInTable(query, { dialect, table, columns, where }, replayOptions)` is
 *   `measureImpact` over a table: the same `Impact`, figure by figure.
 * - `usageInTable(query, table, usageOptions)` is `countUsage` over a table.
 * - `conditionSql(expression, { rule, dialect, columns, assumeNotSent })` is one
 *   expression, or a node of its core: `canBeTrue` and `canBeOtherwise`, never null.
 * - `decisionSql(rules, { dialect, columns, assumeNotSent })` is the deciding rule and
 *   the result as two expressions, for dashboards.
 *
 * What a dialect cannot say exactly throws `NotInDialectError`.
 */
export {
  DIALECT_NAMES,
  type Dialect,
  type DialectName,
} from "./dialects/dialect";
export { DIALECTS, quotedName, quotedText } from "./dialects";
export type { EventColumns } from "./event-columns";
export { NotInDialectError } from "./not-in-dialect-error";
export type {
  EventTable,
  KeptRows,
  QueryRows,
  RowNumbers,
  SqlCell,
  SqlRow,
} from "./event-table";
export {
  EVENT_COLUMN_NAMES,
  EVENT_COLUMNS,
  eventColumns,
  WHOLE_EVENT,
  type ColumnKind,
  type EventColumn,
  type EventColumnName,
} from "./event-columns";
export {
  conditionSql,
  type ConditionSql,
  decisionSql,
  type DecisionSql,
  type RuleSqlOptions,
} from "./rule-sql";
export { impactInTable } from "./impact-in-table";
export { usageInTable } from "./usage-in-table";
