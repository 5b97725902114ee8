/** A value and how often it came. */
export interface ValueCount {
  /** Undefined is a value like any other. */
  readonly value: string | undefined;
  readonly events: number;
  /** The count may be too low by this number; 0 if it is exact. */
  readonly missed: number;
}

/**
 * Counts values in bounded memory; exactly while there are at most `limit` different
 * values. With more, the rarer half is forgotten, and all other counts are lowered by
 * the highest count that was forgotten. So a frequent value stays, even if it comes
 * late, and no count is too low by more than 2 / `limit` of all values (Misra and
 * Gries, "Finding repeated elements", 1982).
 */
export class FrequentValues {
  readonly #counts = new Map<string | undefined, number>();
  #missed = 0;

  constructor(private readonly limit = 50_000) {}

  add(value: string | undefined, events = 1): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + events);
    if (this.#counts.size > this.limit) this.#forget();
  }

  /** The most frequent values; equally frequent ones by their characters, undefined last. */
  top(most: number): ValueCount[] {
    return [...this.#counts]
      .sort(([a, n], [b, m]) => m - n || inOrder(a, b))
      .slice(0, most)
      .map(([value, events]) => ({ value, events, missed: this.#missed }));
  }

  #forget(): void {
    const sorted = [...this.#counts.values()].sort((a, b) => b - a);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    this.#missed += median;
    for (const [value, count] of this.#counts)
      if (count > median) this.#counts.set(value, count - median);
      else this.#counts.delete(value);
  }
}

function inOrder(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined)
    return Number(a === undefined) - Number(b === undefined);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
