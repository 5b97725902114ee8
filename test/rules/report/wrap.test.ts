import { wrap } from "@devid/rules";
import { expect, it } from "vitest";

it("breaks lines at blanks, and indents by the width of the prefix", () => {
  expect(wrap("ab: ", "one two three", undefined, 12)).toBe(
    "ab: one two\n    three",
  );
});

it("does not break a word that is too long", () => {
  expect(wrap("", "a verylongword b", "  ", 6)).toBe("a\n  verylongword\n  b");
});

it("counts two columns for a Chinese character and for an emoji", () => {
  expect(wrap("", "规则 规则 规则", "", 9)).toBe("规则 规则\n规则");
  expect(wrap("🚫 ", "one two", undefined, 7)).toBe("🚫 one\n   two");
});
