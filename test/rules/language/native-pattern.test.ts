import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it, test } from "vitest";
import { nativePattern } from "../../../rules/src/language/regex/native-pattern";
import { textsIn } from "./examples/examples";
import { patternText, plainPattern } from "./random-patterns";

test.each([
  ["HeadlessChrome", "HeadlessChrome"],
  ["(?i)bot|crawl|spider", "bot|crawl|spider"],
  ["(?i)(bot|crawl|spider)[^a-z]", "(?:bot|crawl|spider)[^a-z]"],
  ["(?i)bot-7/[0-9]+", "bot-7\\/[0-9]+"],
  ["^Mozilla/5\\.0 ", "^Mozilla\\/5\\.0 "],
  ["Chrome/\\d+", "Chrome\\/[0-9]+"],
  ["\\bbot\\b", "\\bbot\\b"],
  ["^(?:5\\.23\\.)\\b", "^(?:5\\.23\\.)\\b"],
  ["a.b\\\\d", "a[^\\n]b\\\\d"],
  ["(a|\\.)shop\\.com$", "(?:a|\\.)shop\\.com$"],
  [
    "^https://([a-z0-9-]+\\.)?shop\\.example$",
    "^https:\\/\\/(?:[a-z0-9-]+\\.)?shop\\.example$",
  ],
])("%s runs natively as %s", (pattern, source) => {
  const native = nativePattern(pattern)?.regex;
  expect(native?.source).toBe(source);
  expect(native?.flags).toBe(pattern.startsWith("(?i)") ? "iu" : "u");
});

test.each(textsIn("re2-patterns.txt"))("%s runs in RE2", (pattern) => {
  expect(nativePattern(pattern)).toBeUndefined();
});

describe("a native pattern", () => {
  it("is valid in RE2 and matches the same texts", () => {
    let found = 0;
    let native = 0;
    fc.assert(
      fc.property(plainPattern, patternText, (pattern, text) => {
        const ours = nativePattern(pattern)?.regex;
        if (!ours) return;
        native++;
        const isFound = RE2JS.compile(pattern).matcher(text).find();
        expect(ours.test(text)).toBe(isFound);
        if (isFound) found++;
      }),
      { numRuns: 4_000 },
    );
    expect(native).toBeGreaterThan(400);
    expect(found).toBeGreaterThan(120);
    expect(native - found).toBeGreaterThan(120);
  });

  it.each(["[a-z]", "[^a-z]", "[^0-9A-Za-z_]", "\\d", "."])(
    "matches the same characters as RE2 for (?i)%s",
    (one) => {
      const pattern = `(?i)^${one}$`;
      const ours = nativePattern(pattern)?.regex;
      const theirs = RE2JS.compile(pattern);
      const different: string[] = [];
      for (let code = 0; code < 0x10000; code++) {
        const character = String.fromCharCode(code);
        if (ours?.test(character) !== theirs.test(character))
          different.push(code.toString(16));
      }
      expect(different).toEqual([]);
    },
  );

  it("takes linear time in the worst case", () => {
    const worst = [
      "a?".repeat(5) + "a".repeat(20) + "b",
      "(a|a|aa|a?)a?" + "a".repeat(15) + "b",
      "^a+" + "a?".repeat(5) + "b",
      "a".repeat(190) + "b",
    ];
    const text = "a".repeat(20_000);
    for (const pattern of worst) {
      const native = nativePattern(pattern)?.regex;
      expect(native, pattern).toBeDefined();
      // If each letter doubled the time, none of these patterns would end.
      expect(native?.test(text)).toBe(false);
    }
  });
});
