import { nearest } from "@devid/rules/internals";

/** The message about a setting that a policy does not have. */
export function unknownSetting(
  policy: string,
  setting: string,
  known: readonly string[],
): string {
  const instead = known.length === 0 ? "it takes none." : meant(setting, known);
  return `Policy ${policy} has no setting ${setting}: ${instead}`;
}

/** Suggests the most similar name; if none is similar, lists all names. */
export function meant(name: string, known: readonly string[]): string {
  const similar = nearest(name, known, Math.max(2, name.length / 3));
  return similar
    ? `did you mean ${similar}?`
    : `there are ${known.join(", ")}.`;
}
