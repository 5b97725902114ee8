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
  const distances = known.map((other) => distance(name, other));
  const least = Math.min(...distances);
  const near = known.filter((_, n) => distances[n] === least);
  return least <= Math.max(2, name.length / 3)
    ? `did you mean ${near.join(" or ")}?`
    : `there are ${known.join(", ")}.`;
}

/** The Levenshtein distance of two names, ignoring case. */
function distance(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + Number(letter !== b[j]),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
