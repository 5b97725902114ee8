import { expect, test } from "vitest";
import { expectKept, isKept } from "./kept-tree";
import { everyNeighbourhood } from "./random-tree";

test("each kind of node between two others parses again as the same tree", () => {
  let trees = 0;
  for (const root of everyNeighbourhood()) {
    trees++;
    // An assertion for each of them would take most of the time.
    if (!isKept(root)) expectKept(root);
  }
  expect(trees).toBeGreaterThan(10_000);
});
