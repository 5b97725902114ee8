export type { Engine, EngineSource } from "./engine.js";
export {
  engineEnvironment,
  type EngineEnvironmentOptions,
} from "./engine-environment.js";
export { EngineError } from "./engine-error.js";
export { engineHash } from "./engine-hash.js";
export {
  EngineMissingError,
  type FailedAttempt,
} from "./engine-missing-error.js";
export { ENGINE_VERSION, MINIMUM_ENGINE_VERSION } from "./engine-version.js";
export { findEngine, type FindEngineOptions } from "./find-engine.js";
export { findYamlHost } from "./find-yaml-host.js";
export { prepareEngineHome } from "./prepare-engine-home.js";
