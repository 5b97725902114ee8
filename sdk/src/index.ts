export { createClient, type Client, type ClientOptions } from "./client";
export * from "./configuration";
export type {
  DeviceReputation,
  DrnOptions,
} from "./device-reputation/device-reputation";
export type { DrnSignal } from "./wire/device-reputation";
export * from "./server-api/errors";
export type { EventPage } from "./server-api/each-event";
export type { Event } from "./server-api/event";
export { eventsBetween } from "./server-api/event";
export { originOf } from "./server-api/event";
export type {
  EventGetOptions,
  EventSearchAllOptions,
  EventUpdateArgs,
} from "./server-api/events";
export type {
  EventSearchAllArgs,
  EventSearchArgs,
} from "./server-api/search-arguments";
export type { UpdateOptions } from "./server-api/until-mutable";
export type { CallOptions } from "./http/request";
export { DEFAULT_TIMEOUTS, type Timeouts } from "./http/connections";
export * from "./http/errors";
export { maskUrl, maskUrls, REDACTED } from "./http/redact";
export { Redactor } from "./http/redact";
export type { RequestInfo } from "./http/request";
export { DEFAULT_RETRY, type RetryPolicy } from "./http/retry";
export type {
  LegacyEvent,
  LegacyPage,
  LegacySearchArgs,
  LegacyUpdateArgs,
  LegacyVisitorArgs,
  LegacyVisits,
} from "./server-api/legacy-events";
export { isLoopback } from "./http/connections";
export type { ApiKey } from "./management/api-keys";
export { camelPath } from "./wire/casing";
export type { EncryptionKey } from "./management/encryption-keys";
export type { Environment } from "./management/environments";
export type {
  BulkInput,
  FilteringRule,
  TestInput,
} from "./management/filtering-rules";
export type { ListOptions, Page } from "./management/management-api";
export type { Webhook } from "./management/webhooks";
export { missingManagementKey, missingSecretKey } from "./configuration";
export { REGIONS, type Region } from "./configuration";
export { version } from "./http/user-agent";
