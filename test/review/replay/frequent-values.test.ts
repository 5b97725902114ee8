import fc from "fast-check";
import { expect, it } from "vitest";
import { FrequentValues } from "../../../review/src/replay/frequent-values";

const counted = (values: readonly (string | undefined)[], limit?: number) => {
  const counter = new FrequentValues(limit);
  for (const value of values) counter.add(value);
  return counter;
};

it("counts exactly up to its limit, and lists the most frequent value first", () => {
  const values = ["b", undefined, "a", "c", "b", undefined, "c"];
  expect(counted(values, 4).top(3)).toEqual([
    { value: "b", events: 2, missed: 0 },
    { value: "c", events: 2, missed: 0 },
    { value: undefined, events: 2, missed: 0 },
  ]);
});

/** A few frequent values and many rare values. */
const value = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }))
  .map(([a, b]) => String(Math.min(a, b)));

it("reports bounds that contain each true count beyond its limit", () => {
  let approximate = 0;
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 300, size: "max" }),
      fc.integer({ min: 1, max: 10 }),
      (values, limit) => {
        const counter = counted(values, limit);
        const top = counter.top(Infinity);
        expect(top.length).toBeLessThanOrEqual(limit);
        for (const { value, events, missed } of top) {
          const truth = values.filter((other) => other === value).length;
          expect(truth).toBeGreaterThanOrEqual(events);
          expect(truth).toBeLessThanOrEqual(events + missed);
          if (missed > 0) approximate += 1;
        }
        // A value that is not listed was not more frequent than `missed`.
        const missed = top[0]?.missed ?? Infinity;
        if (top.length > 0)
          expect(missed).toBeLessThanOrEqual((2 * values.length) / limit);
        const kept = new Set(top.map(({ value }) => value));
        for (const value of new Set(values)) {
          const truth = values.filter((other) => other === value).length;
          if (!kept.has(value)) expect(truth).toBeLessThanOrEqual(missed);
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(approximate).toBeGreaterThan(100);
});
