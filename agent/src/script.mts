import type { Agent } from "./agent.js";
import { startFromScript } from "./start-from-script.js";
import type { ScriptStartOptions } from "./start-options.js";

export { FingerprintError, isFingerprintError } from "./fingerprint-error.js";
export { withoutDefault } from "./without-default.js";

/** `start()` of this script (see `startFromScript`). */
export function start(options: ScriptStartOptions = {}): Agent {
  return startFromScript(import.meta.url, options);
}
