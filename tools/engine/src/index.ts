export {
  type Engine,
  type EngineSource,
  findEngine,
  type FindEngineOptions,
} from "./find/find-engine.js";
export {
  engineEnvironment,
  type EngineEnvironmentOptions,
} from "./engine-environment.js";
export {
  EngineError,
  EngineMissingError,
  type FailedAttempt,
} from "./errors.js";
export { installOnce } from "./build/install-once.js";
export { runCommand } from "./build/run-command.js";
export { ENGINE_VERSION, MINIMUM_ENGINE_VERSION } from "./engine-version.js";
export { devidCache } from "./find/cache-folders.js";
export { findLanguageHost } from "./find/find-language-host.js";
export { findPythonEnvironment } from "./find/find-python-environment.js";
export { prepareEngineHome } from "./prepare-engine-home.js";
