import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalHeaderName } from "../../../rules/src/language/request/header-names";
import {
  canonicalHeaders,
  pairsOf,
} from "../../../service/src/identification/visit";

const canonical = (...raw: string[]) => canonicalHeaders(pairsOf(raw));

it("header names are spelt like in the tests of a rule file", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (name) => {
      const [own] = Object.keys(canonical(name, "v"));
      expect(own).toBe(canonicalHeaderName(name) ?? name);
    }),
  );
});

it("the values of a header are collected in their order", () => {
  expect(canonical("a", "1", "B", "2", "A", "3")).toEqual({
    A: ["1", "3"],
    B: ["2"],
  });
});

it("a header named like a member of every object is an ordinary header", () => {
  const headers = canonical("__proto__", "1", "constructor", "2");
  expect(Object.entries(headers)).toEqual([
    ["__proto__", ["1"]],
    ["Constructor", ["2"]],
  ]);
  expect(headers["Origin"]).toBeUndefined();
});
