/**
 * What our other packages build upon. It is not for programs: a name may change or go with
 * each version.
 */
export {
  countedStart,
  LONGEST_VALUE,
  MOST_EXAMPLES,
  MOST_TOP_VALUES,
  SUSPECT_THRESHOLD,
} from "./replay/change-counter";
export { type EventGroup } from "./replay/event-group";
export {
  CHANGED_OUTCOMES,
  type ChangedOutcome,
  isChanged,
} from "./replay/impact";
export { ImpactCounter } from "./replay/measure-impact";
export {
  ISO_TIME,
  LEAST_MS,
  LEAST_SECONDS,
  MOST_MS,
  rowCounts,
  type RowProblem,
  unreadableRows,
} from "./replay/row-counts";
