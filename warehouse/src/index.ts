export {
  EventSourceError,
  WarehouseQueryError,
  WarehouseUnreachableError,
} from "./errors";
export { EventParts } from "./event-parts";
export { readMapping, type EventMapping } from "./mapping";
export { documentedRuleColumns } from "./rule-columns";
export { parseEventSource, type EventSource } from "./source";
export { Warehouse, type WarehouseOptions } from "./warehouse";
