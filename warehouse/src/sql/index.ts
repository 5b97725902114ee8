/**
 * Impacts and usage of past events in a table. Nothing here connects to anything: an
 * engine is the function `query`, which runs a text and yields rows. The engine answers
 * leaf conditions of one column and groups the rows by the answers; the evaluator
 * decides each group (`RowKeys`).
 */
export {
  type Dialect,
  type DialectName,
  DIALECTS,
  quotedName,
  quotedText,
} from "./dialects";
export type {
  EventTable,
  KeptGroups,
  QueryRows,
  SqlCell,
  SqlRow,
} from "./event-table";
export {
  EVENT_COLUMN_NAMES,
  EVENT_COLUMNS,
  eventColumns,
  type EventColumns,
  WHOLE_EVENT,
  type ColumnKind,
  type EventColumn,
  type EventColumnName,
} from "./event-columns";
export { impactInTable, usageInTable } from "./impact-in-table";
export { RowKeys } from "./row-keys";
