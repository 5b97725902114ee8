export {
  createClient,
  missingManagementKey,
  type Client,
  type ClientOptions,
} from "./client";
export * from "./configuration";
export { DEFAULT_TIMEOUTS, type Timeouts } from "./http/dispatcher";
export * from "./http/errors";
export { REDACTED, Redactor } from "./http/redact";
export { issueMessage } from "./issue-message";
export type { RequestInfo } from "./http/request";
export { DEFAULT_RETRY, type RetryPolicy } from "./http/retry";
export { isLoopback } from "./loopback";
export type { ApiKey } from "./management/api-keys";
export { camelPath } from "./management/casing";
export type { EncryptionKey } from "./management/encryption-keys";
export type { Environment } from "./management/environments";
export type {
  BulkInput,
  FilteringRule,
  TestInput,
} from "./management/filtering-rules";
export type {
  CallOptions,
  ListOptions,
  Page,
} from "./management/management-api";
export type { Webhook } from "./management/webhooks";
export { REGIONS, type Region } from "./regions";
export { version } from "./version";
export { Rule, RuleContent, Rules } from "./rules/rule";
export {
  parseRuleFile,
  readRuleFile,
  RuleFileError,
  type RuleFileProblem,
} from "./rules/file";
