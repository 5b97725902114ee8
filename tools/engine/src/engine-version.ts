import { SemVer } from "semver";

/** Version to download or build if no engine is installed. */
export const ENGINE_VERSION = "3.246.0";

/**
 * Oldest version of an installed engine that is accepted.
 *
 * It is the lowest version of `@pulumi/pulumi` that the provider supports as a
 * peer, so that the engine and the SDK of a program are of the same generation.
 * Everything else that we need is older: language hosts run policy packs since
 * 3.170.
 */
export const MINIMUM_ENGINE_VERSION = "3.200.0";

/**
 * Parses the output of `pulumi version`, which may begin with warnings:
 * `v3.246.0\n` becomes `3.246.0`. Undefined if no line is a version.
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
 * Whether a version is at least as new as another one. A pre-release counts as
 * its release, because a development build of an engine has every feature that
 * we use.
 */
export function isAtLeast(version: string, minimum: string): boolean {
  return new SemVer(version).compareMain(minimum) >= 0;
}
