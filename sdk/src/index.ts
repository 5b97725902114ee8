export { createClient, type Client, type ClientOptions } from "./client";
export * from "./configuration";
export type { DeviceReputation, DrnOptions } from "./drn/drn";
export type { DrnSignal } from "./drn/wire";
export * from "./secret-key/errors";
export type { EventPage } from "./events/each-event";
export type { Event } from "./events/event";
export { eventsBetween } from "./events/events-between";
export { originOf } from "./events/origin-of";
export type {
  EventGetOptions,
  EventSearchAllOptions,
  EventUpdateArgs,
} from "./events/events";
export type {
  EventSearchAllArgs,
  EventSearchArgs,
} from "./events/search-arguments";
export type { UpdateOptions } from "./events/until-mutable";
export type { CallOptions } from "./http/call-options";
export { DEFAULT_TIMEOUTS, type Timeouts } from "./http/dispatcher";
export * from "./http/errors";
export { maskUrl, maskUrls, REDACTED } from "./http/mask-urls";
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
} from "./legacy/legacy-events";
export { isLoopback } from "./loopback";
export type { ApiKey } from "./management/api-keys";
export { camelPath } from "./casing";
export type { EncryptionKey } from "./management/encryption-keys";
export type { Environment } from "./management/environments";
export type {
  BulkInput,
  FilteringRule,
  TestInput,
} from "./management/filtering-rules";
export type { ListOptions, Page } from "./management/management-api";
export type { Webhook } from "./management/webhooks";
export { missingManagementKey, missingSecretKey } from "./missing-key";
export { REGIONS, type Region } from "./regions";
export { version } from "./version";
