export { isLoopback, maskUrl, maskUrls, originOf, REDACTED } from "./address";
export { createClient, type Client, type ClientOptions } from "./client";
export {
  configurationOf,
  isLocal,
  missingManagementKey,
  rulesObstacle,
  type Configuration,
  type ConnectionOptions,
  type KeyOrigin,
  type SettingName,
} from "./configuration/configuration";
export {
  isKeyVariable,
  optionsFromEnvironment,
  SETTING_NAMES,
  settingVariables,
  type Settings,
  type SettingSource,
} from "./configuration/environment";
export type {
  DeviceReputation,
  DeviceReputationOptions,
  DeviceReputations,
  DeviceReputationSignal,
} from "./device-reputation/device-reputation";
export * from "./errors";
export { headerTextProblem } from "./http/header-text";
export {
  connectionsFor,
  TOO_LONG_ANSWER,
  type ConnectionAnswer,
  type ConnectionRequest,
} from "./http/connections";
export { failureCode } from "./http/failure";
export type { Timeouts } from "./http/timeouts";
export { Redactor } from "./http/redact";
export type { CallOptions, RequestInfo } from "./http/request";
export { retryAfterMs, type RetryPolicy } from "./http/retry";
export type { Fetch } from "./http/send";
export { version } from "./http/user-agent";
export type * from "./management";
export type { ListOptions } from "./management/management-api";
export type { Page } from "./management/records";
export {
  eventsBetween,
  eventsByDay,
  type Event,
  type TimeRange,
} from "./server-api/event";
export type {
  EventGetOptions,
  EventPage,
  Events,
  EventSearchAllOptions,
  EventUpdateArgs,
} from "./server-api/events";
export type {
  EventSearchAllArgs,
  EventSearchArgs,
} from "./server-api/search-arguments";
export type { Visitors } from "./server-api/visitors";
export { camelPath } from "./wire/casing";
export { REGIONS, type Region } from "./wire/regions";
