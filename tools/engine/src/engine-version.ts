import { SemVer } from "semver";

/** Version that is downloaded or built when none is installed. */
export const ENGINE_VERSION = "3.246.0";

/**
 * Oldest installed engine that is used as it is.
 *
 * It is the lower end of the range of `@pulumi/pulumi` that the provider
 * supports as a peer: the engine and the SDK of one program are of the same
 * generation. What we rely on beyond that is older: language hosts that run
 * policy packs came with 3.170.
 */
export const MINIMUM_ENGINE_VERSION = "3.200.0";

/**
 * Reads the answer of `pulumi version`, which may print warnings before it:
 * `v3.246.0\n` is `3.246.0`. Undefined where no line is a version.
 */
export function parseEngineVersion(text: string): string | undefined {
  const line = text.split("\n").find((part) => /^v?\d/.test(part)) ?? "";
  try {
    return new SemVer(line.trim()).version;
  } catch {
    return undefined;
  }
}

/**
 * Whether a version is not older than another one. A pre-release counts as the
 * release it leads to: a development build of an engine has every feature of that
 * release that we use.
 */
export function isAtLeast(version: string, minimum: string): boolean {
  return new SemVer(version).compareMain(minimum) >= 0;
}
