import type { Agent } from "./agent.js";
import { startFromScript } from "./start.js";
import type { StartOptions } from "./options.js";

export { withoutDefault } from "./endpoints.js";
export { FingerprintError, isFingerprintError } from "./fingerprint-error.js";

/** `start()` of this script (see `startFromScript`). */
export function start(options: StartOptions = {}): Agent {
  return startFromScript(import.meta.url, options);
}
