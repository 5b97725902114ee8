import { expect, it } from "vitest";
import { holdersOf } from "./holders";

it("a test or a row covers the statements named directly above it", () => {
  const source = `
import { it } from "vitest";
// contract: a-1
const ROWS = [
  // contract: a-2
  ["good", 1],
] as const;

describe("pages", () => {
  // contract: a-3, a-4
  // contract: a-5
  it("take sizes", () => {});

  // contract: a-6
  it.each(ROWS)("are %s", () => {
    // contract: a-7
  });
  test.each([
    [1],
    // contract: a-8
    [2],
  ])("%i", () => {});
  describe.each([1])("of %i", () => {
    // contract: a-9
    it(\`end with \${last}\`, () => {});
  });
});
`;
  expect(holdersOf(source)).toEqual({
    holders: [
      { line: 10, ids: ["a-3", "a-4", "a-5"] },
      { line: 14, ids: ["a-6"] },
      { line: 5, ids: ["a-2"] },
      { line: 20, ids: ["a-8"] },
      { line: 24, ids: ["a-9"] },
    ],
    astray: [3, 16],
  });
});

it.each([
  '// contract: a-1\nit.skip("a", () => {});',
  'describe.skip("a", () => {\n// contract: a-1\nit("b", () => {});\n});',
  'it.skip.each([\n// contract: a-1\n[1]\n])("a", () => {});',
  "// contract: a-1\nconst a = 1;",
])("a test that does not run covers nothing: %j", (source) => {
  const { holders, astray } = holdersOf(source);
  expect(holders).toEqual([]);
  expect(astray).toHaveLength(1);
});
