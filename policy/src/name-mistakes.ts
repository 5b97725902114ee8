import { distance } from "@devid/rules/internals";

/** The message about a policy that does not exist. */
export function unknownPolicy(name: string, known: readonly string[]): string {
  return `There is no policy ${name}: ${meant(name, known)}`;
}

/** The message about a setting that a policy does not have. */
export function unknownSetting(
  policy: string,
  setting: string,
  known: readonly string[],
): string {
  const instead = known.length === 0 ? "it takes none." : meant(setting, known);
  return `Policy ${policy} has no setting ${setting}: ${instead}`;
}

/** Suggests the names that are most similar; if none is similar, lists all names. */
function meant(name: string, known: readonly string[]): string {
  const distances = known.map((other) =>
    distance(name.toLowerCase(), other.toLowerCase()),
  );
  const least = Math.min(...distances);
  const near = known.filter((_, n) => distances[n] === least);
  return least <= Math.max(2, name.length / 3)
    ? `did you mean ${near.join(" or ")}?`
    : `there are ${known.join(", ")}.`;
}
