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
 * Reads the answer of `pulumi version`.
 *
 * @returns the version without a leading `v`, or undefined when there is none
 * in the text: `v3.246.0\n` is `3.246.0`.
 */
export function parseEngineVersion(text: string): string | undefined {
  const found = /^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+\S*)?$/m.exec(
    text.trim(),
  );
  return found?.[1];
}

/**
 * Compares the numbers of two versions.
 *
 * A pre-release counts as the release it leads to: a development build of an
 * engine has every feature of that release that we use.
 */
export function isAtLeast(version: string, minimum: string): boolean {
  const left = numbers(version);
  const right = numbers(minimum);
  for (const [index, wanted] of right.entries()) {
    const given = left[index] ?? 0;
    if (given !== wanted) return given > wanted;
  }
  return true;
}

function numbers(version: string): number[] {
  const core = version.split(/[-+]/, 1)[0] ?? "";
  return core.split(".").map(Number);
}
