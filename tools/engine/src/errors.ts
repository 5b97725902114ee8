import { ENGINE_VERSION, MINIMUM_ENGINE_VERSION } from "./engine-version.js";

/**
 * Base class of all errors of this package. The message is complete and written
 * for people.
 */
export class EngineError extends Error {
  override readonly name: string = "EngineError";
}

/** A place where no engine could be found, and the reason. */
export interface FailedAttempt {
  /** The place in words for people: `PATH`, `download`. */
  place: string;
  reason: string;
}

/** No engine was found, and none could be downloaded or built. */
export class EngineMissingError extends EngineError {
  override readonly name = "EngineMissingError";

  constructor(readonly attempts: readonly FailedAttempt[]) {
    super(describe(attempts));
  }
}

function describe(attempts: readonly FailedAttempt[]): string {
  const tried = attempts.map(
    ({ place, reason }) => `  ${place}: ${reason.replaceAll("\n", "\n    ")}`,
  );
  return [
    "Looking for a Pulumi engine failed: none was found, and none could be downloaded or built.",
    ...tried,
    "Three ways out:",
    `  1. Install the Pulumi CLI ${MINIMUM_ENGINE_VERSION} or later (https://www.pulumi.com/docs/install/), with \`pulumi\` on PATH.`,
    "  2. Set DEVID_PULUMI to the path of a `pulumi` executable that is somewhere else.",
    `  3. Install Go (https://go.dev/doc/install) and run \`npm run engine\`: it builds Pulumi ${ENGINE_VERSION} from its Go modules in about five minutes.`,
  ].join("\n");
}
