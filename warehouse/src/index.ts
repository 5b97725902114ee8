export {
  EventSourceError,
  WarehouseQueryError,
  WarehouseUnreachableError,
} from "./errors";
export { readMapping, type EventMapping } from "./mapping";
export { type EventSource } from "./source";
export { Warehouse, type WarehouseOptions } from "./warehouse";
