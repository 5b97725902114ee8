/** Two items that belong together, or one item without a match on the other side. */
export interface Pair<T> {
  readonly before?: T;
  readonly after?: T;
}

/**
 * Pairs the items of two lists that have the same `key`. Of several items with one
 * key, those with the highest `likeness` are paired first. The pairs have the order
 * of `before`; items that only `after` has follow.
 * @param least items with a lower likeness are not paired
 */
export function pairUp<T>(
  before: readonly T[],
  after: readonly T[],
  key: (item: T) => string,
  likeness: (a: T, b: T) => number,
  least = -Infinity,
): Pair<T>[] {
  const left = new Map<string, Set<T>>();
  for (const item of after) {
    const group = left.get(key(item)) ?? new Set();
    left.set(key(item), group.add(item));
  }
  const matches = new Map<T, T>();
  for (const group of groups(before, key)) {
    const others = left.get(key(group[0])) ?? new Set();
    const ranked = group
      .flatMap((item) =>
        [...others].map((other) => ({
          item,
          other,
          rank: likeness(item, other),
        })),
      )
      .filter(({ rank }) => rank >= least)
      .sort((a, b) => b.rank - a.rank);
    for (const { item, other } of ranked) {
      if (matches.has(item) || !others.has(other)) continue;
      matches.set(item, other);
      others.delete(other);
    }
  }
  const unmatched = after.filter((item) => left.get(key(item))?.has(item));
  return [
    ...before.map((item) => ({ before: item, after: matches.get(item) })),
    ...unmatched.map((item) => ({ after: item })),
  ];
}

function groups<T>(
  items: readonly T[],
  key: (item: T) => string,
): (readonly [T, ...T[]])[] {
  const found = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = found.get(key(item));
    if (group) group.push(item);
    else found.set(key(item), [item]);
  }
  return [...found.values()];
}
