import { describe, expect, it } from "vitest";
import { TestTitles } from "./test-titles";

const titles = new TestTitles(`
  describe("pages", () => {
    it("take sizes", () => {});
    it.each([["good", 43_200]])("are %s for %i", () => {});
    test.each(rows)("%s", () => {});
    it.skip("are skipped", () => {});
    describe.each([1])("of %i", () => {
      it(\`end with \${last}\`, () => {});
    });
  });
  it("stands alone", () => {});
  const rows = ["vpn=true", "page"];
`);

describe("a title", () => {
  it.each([
    "pages > take sizes",
    "stands alone",
    "pages > are good for 43200",
    "pages > are %s for %i",
    "pages > vpn=true",
    "pages > of 1 > end with page",
  ])("is one: %s", (title) => {
    expect(titles.has(title)).toBe(true);
  });

  it.each([
    ["no test has it", "pages > take more"],
    ["its describe is missing", "take sizes"],
    ["the test is skipped", "pages > are skipped"],
    ["no row has its words", "pages > are bad for 43200"],
    ["any row would have it", "pages > %s"],
    ["its row is empty", "pages > are  for "],
  ])("is none where %s", (_, title) => {
    expect(titles.has(title)).toBe(false);
  });
});
