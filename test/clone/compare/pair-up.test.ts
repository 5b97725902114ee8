import fc from "fast-check";
import { expect, it } from "vitest";
import { pairUp } from "../../../clone/src/compare/pair-up";

const pairs = (before: string[], after: string[]) =>
  pairUp(
    before.map((text, n) => ({ text, n })),
    after.map((text, n) => ({ text, n: n + 100 })),
    ({ text }) => text,
    ({ text }) => text[0] ?? "",
  ).map((pair) => `${pair.before?.text ?? ""}>${pair.after?.text ?? ""}`);

it("pairs by the first key, then by the second, in order", () => {
  expect(pairs(["a1", "a2", "b1"], ["a3", "a2", "c1"])).toEqual([
    "a1>a3",
    "a2>a2",
    "b1>",
    ">c1",
  ]);
});

it("loses no item, and uses no item twice", () => {
  const list = fc.array(fc.constantFrom("a1", "a2", "b1", "c"));
  fc.assert(
    fc.property(list, list, (before, after) => {
      const found = pairUp(
        before.map((text) => ({ text })),
        after.map((text) => ({ text })),
        ({ text }) => text,
        ({ text }) => text[0] ?? "",
      );
      const left = found.flatMap((pair) => pair.before ?? []);
      const right = found.flatMap((pair) => pair.after ?? []);
      expect(left.map(({ text }) => text)).toEqual(before);
      expect(right.map(({ text }) => text).sort()).toEqual([...after].sort());
      const unmatched = (key: string) =>
        found.filter(
          ({ before, after }) =>
            [before, after].some((one) => one === undefined) &&
            (before ?? after)?.text.startsWith(key),
        ).length;
      const count = (all: string[], key: string) =>
        all.filter((text) => text.startsWith(key)).length;
      for (const key of ["a", "b", "c"])
        expect(unmatched(key)).toBe(
          Math.abs(count(before, key) - count(after, key)),
        );
    }),
  );
});
