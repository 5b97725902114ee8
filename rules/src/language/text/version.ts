/** The numbers of a version such as `3.11.0`. */
export type Version = readonly number[];

const VERSION = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*$/;

/** The numbers of a text that is a version; undefined for any other text. */
export const versionOf = (text: string): Version | undefined =>
  VERSION.test(text) ? text.split(".").map(Number) : undefined;

/** Below 0 if `one` is the earlier version, above 0 if it is the later one. */
export function compareVersions(one: Version, other: Version): number {
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const difference = (one[i] ?? 0) - (other[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
