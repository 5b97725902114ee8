/** Two items that belong together, or one item without a match on the other side. */
export interface Pair<T> {
  readonly before?: T;
  readonly after?: T;
}

/**
 * Pairs the items of two lists, each once: first those with the same first key, then the
 * remaining ones with the same second key, and so on. Items with one key are paired in
 * their order. The pairs have the order of `before`; items that only `after` has follow.
 */
export function pairUp<T>(
  before: readonly T[],
  after: readonly T[],
  ...keys: readonly ((item: T) => string)[]
): Pair<T>[] {
  const matches = new Map<T, T>();
  const left = new Set(after);
  for (const key of keys) {
    const waiting = new Map<string, T[]>();
    for (const item of left) {
      const group = waiting.get(key(item)) ?? [];
      group.push(item);
      waiting.set(key(item), group);
    }
    for (const item of before) {
      const match = matches.has(item)
        ? undefined
        : waiting.get(key(item))?.shift();
      if (match === undefined) continue;
      matches.set(item, match);
      left.delete(match);
    }
  }
  return [
    ...before.map((item) => ({ before: item, after: matches.get(item) })),
    ...[...left].map((item) => ({ after: item })),
  ];
}
