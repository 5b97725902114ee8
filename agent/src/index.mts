export type { Agent } from "./agent.js";
export { BinaryOutput, type AgentResult } from "./agent-result.js";
export { withoutDefault, type WithoutDefault } from "./endpoints.js";
export {
  FingerprintError,
  isFingerprintError,
  type AgentErrorCode,
} from "./fingerprint-error.js";
export type { GetOptions, SimpleTag } from "./get-options.js";
export type { UrlHashing } from "./hashing.js";
export { start } from "./start.js";
export type {
  CacheOptions,
  CommonStartOptions,
  StartOptions,
} from "./start-options.js";
