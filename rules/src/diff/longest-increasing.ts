/** The places, from 0 and in order, of a longest increasing selection of numbers that are all different. */
export function longestIncreasing(numbers: readonly number[]): number[] {
  /** For each length, the place where a selection of that length ends lowest. */
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
