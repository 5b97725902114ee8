/**
 * The wire schemas of events, of version 3 and of device reputation. They are large, so
 * users of the management API do not load them.
 */
export * from "./device-reputation";
export * from "./event";
export * from "./event-search";
export * from "./event-signals";
export * from "./event-update";
export * from "./legacy";
export * from "./server-operations";
