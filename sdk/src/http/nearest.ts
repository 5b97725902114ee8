/** The known name that is most similar to a misspelt name; undefined if none is similar. */
export function nearest(
  name: string,
  known: readonly string[],
): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  const [best] = known
    .map((candidate) => ({
      candidate,
      edits: distance(plain(name), plain(candidate)),
    }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.max(1, best.candidate.length / 4)
    ? best.candidate
    : undefined;
}

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
