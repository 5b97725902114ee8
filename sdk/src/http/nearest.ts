/** The known name that is most similar to a misspelt name; undefined if none is similar. */
export function nearest(
  name: string,
  known: readonly string[],
): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  const [best] = known
    .map((candidate) => ({
      candidate,
      edits: edits(plain(name), plain(candidate)),
    }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.max(1, best.candidate.length / 4)
    ? best.candidate
    : undefined;
}

/** The edit distance of two texts: letters to add, drop or change. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next.push(
        Math.min(
          Number(row[j]) + 1,
          Number(next[j - 1]) + 1,
          Number(row[j - 1]) + (from[i - 1] === to[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return Number(row.at(-1));
}
