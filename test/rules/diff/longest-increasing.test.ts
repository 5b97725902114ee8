import fc from "fast-check";
import { expect, it } from "vitest";
import { longestIncreasing } from "../../../rules/src/diff/list-edits";

/** The length of the longest increasing selection, found by trying each selection. */
function longestByTrying(numbers: readonly number[]): number {
  let longest = 0;
  for (let choice = 0; choice < 2 ** numbers.length; choice++) {
    const chosen = numbers.filter((_, place) => choice & (1 << place));
    const isIncreasing = chosen.every(
      (number, i) => i === 0 || number > (chosen[i - 1] ?? 0),
    );
    if (isIncreasing) longest = Math.max(longest, chosen.length);
  }
  return longest;
}

it("selects the longest increasing sequence", () => {
  const numbers = fc.uniqueArray(fc.nat(40), { maxLength: 9 });
  fc.assert(
    fc.property(numbers, (all) => {
      const places = longestIncreasing(all);
      const chosen = places.map((place) => all[place] ?? NaN);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
      expect(places).toHaveLength(longestByTrying(all));
    }),
    { numRuns: 500 },
  );
});
