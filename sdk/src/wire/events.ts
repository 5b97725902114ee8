/**
 * The wire schemas of events and of device reputation. They are large, so
 * users of the management API do not load them.
 */
export * from "./device-reputation";
export * from "./event";
export * from "./event-search";
export * from "./event-signals";
export * from "./event-update";
export * from "./server-operations";
