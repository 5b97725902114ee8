export type { Agent } from "./agent.js";
export type { AgentResult } from "./agent-result.js";
export { BinaryOutput } from "./binary-output.js";
export {
  FingerprintError,
  isFingerprintError,
  type AgentErrorCode,
} from "./fingerprint-error.js";
export type { GetOptions, SimpleTag } from "./get-options.js";
export { start } from "./start.js";
export type {
  CacheOptions,
  CommonStartOptions,
  StartOptions,
  UrlHashing,
} from "./start-options.js";
export { withoutDefault, type WithoutDefault } from "./without-default.js";
