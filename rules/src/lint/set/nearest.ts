/**
 * The edit distance of two texts: the number of characters to delete, insert, replace
 * or swap with their neighbour.
 */
export function distance(from: string, to: string): number {
  const rows = [...from];
  const columns = [...to];
  let before: number[] = [];
  let last = columns.map((_, i) => i).concat(columns.length);
  for (const [i, character] of rows.entries()) {
    const next = [i + 1];
    for (const [j, other] of columns.entries()) {
      const isSame = character === other;
      const swapped =
        i > 0 && j > 0 && rows[i - 1] === other && columns[j - 1] === character;
      next.push(
        Math.min(
          (last[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
          (last[j] ?? 0) + (isSame ? 0 : 1),
          swapped ? (before[j - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[columns.length] ?? 0;
}

/** The text with the smallest distance up to a limit; undefined if there is none. */
export function nearest(
  text: string,
  texts: readonly string[],
  most: number,
): string | undefined {
  let best: string | undefined;
  let least = most + 1;
  for (const one of texts) {
    if (Math.abs(one.length - text.length) >= least) continue;
    const far = distance(text, one);
    if (far < least) [best, least] = [one, far];
  }
  return best;
}
