import { keptIn } from "../keeping-results";

/** One step from a list to another. */
export type ListEdit<T> =
  | { readonly kind: "added" | "removed" | "moved"; readonly item: T }
  | { readonly kind: "replaced"; readonly before: T; readonly after: T };

/**
 * The steps from one list to another, in the order of the second list and with the
 * fewest moves. If equally many items are removed and added between two items that
 * stayed, each removed item counts as replaced.
 */
export function listEdits<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): ListEdit<T>[] {
  const origins = originsOf(before.map(keyOf), after.map(keyOf));
  const common = [...origins.keys()];
  const stayed = longestIncreasing([...origins.values()])
    .map((place) => common[place] ?? 0)
    .map((to) => ({ from: origins.get(to) ?? 0, to }));
  const matched = new Set(origins.values());

  const edits: ListEdit<T>[] = [];
  let last = { from: -1, to: -1 };
  for (const next of [...stayed, { from: before.length, to: after.length }]) {
    const gone = before
      .slice(last.from + 1, next.from)
      .filter((_, i) => !matched.has(last.from + 1 + i));
    const come: T[] = [];
    after.slice(last.to + 1, next.to).forEach((item, i) => {
      if (origins.has(last.to + 1 + i)) edits.push({ kind: "moved", item });
      else come.push(item);
    });
    edits.push(...replacements(gone, come));
    last = next;
  }
  return edits;
}

function replacements<T>(
  gone: readonly T[],
  come: readonly T[],
): ListEdit<T>[] {
  if (gone.length !== come.length)
    return [
      ...gone.map((item) => ({ kind: "removed", item }) as const),
      ...come.map((item) => ({ kind: "added", item }) as const),
    ];
  return gone.map((before, i) => ({
    kind: "replaced",
    before,
    after: come[i] as T, // Both lists have the same length.
  }));
}

/** For places in `after`, the places in `before` with the same item; each is used once. */
function originsOf(
  before: readonly string[],
  after: readonly string[],
): Map<number, number> {
  const places = new Map<string, number[]>();
  before.forEach((key, place) => {
    keptIn(places, key, () => []).push(place);
  });
  // Reversed, so that `pop` takes equal items in their order.
  for (const list of places.values()) list.reverse();
  const origins = new Map<number, number>();
  after.forEach((key, to) => {
    const from = places.get(key)?.pop();
    if (from !== undefined) origins.set(to, from);
  });
  return origins;
}

/** The places, from 0 and in order, of a longest increasing subsequence of different numbers. */
export function longestIncreasing(numbers: readonly number[]): number[] {
  /** For each length, the place of the lowest end of a subsequence of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  numbers.forEach((number, place) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous.push(ends[low - 1]);
    ends[low] = place;
  });
  const places: number[] = [];
  let at = ends.at(-1);
  for (; at !== undefined; at = previous[at]) places.push(at);
  return places.reverse();
}
