import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkExpression,
  codeFrame,
  formatExpression,
  printExpression,
  UNKNOWN,
} from "../../../rules/src/language";
import { compiledIfRight as compiled } from "./checked";
import { expectKept, parsed, shapeOf } from "./kept-tree";
import { damaged, documented, soup, supported } from "./random-expression";
import { literals } from "./random-literals";
import { request } from "./random-request";
import { tree } from "./random-tree";

const anything = fc.oneof(
  documented,
  supported,
  soup,
  damaged,
  literals,
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }).map((b) => Buffer.from(b).toString("utf8")),
);

describe("for any tree,", () => {
  test("printing and formatting keep the tree", () => {
    fc.assert(fc.property(tree, expectKept), { numRuns: 600 });
  });
});

describe("for any expression,", () => {
  test("printing and parsing give the same tree", () => {
    let trees = 0;
    fc.assert(
      fc.property(anything, (source) => {
        const root = parsed(source);
        if (!root) return;
        trees++;
        const again = parsed(printExpression(root));
        expect(again && shapeOf(again)).toEqual(shapeOf(root));
      }),
      { numRuns: 600 },
    );
    expect(trees).toBeGreaterThan(150);
  });

  test("formatting keeps the tree, and formatting again changes nothing", () => {
    fc.assert(
      fc.property(anything, (source) => {
        const root = parsed(source);
        const formatted = formatExpression(source);
        expect(typeof formatted === "string").toBe(root !== undefined);
        if (!root || typeof formatted !== "string") return;
        const again = parsed(formatted);
        expect(again && shapeOf(again)).toEqual(shapeOf(root));
        expect(formatExpression(formatted)).toBe(formatted);
      }),
      { numRuns: 600 },
    );
  });

  test("nothing throws, and an evaluation fails only on nil and missing elements", () => {
    let answered = 0;
    fc.assert(
      fc.property(anything, request, (source, one) => {
        formatExpression(source);
        const expression = compiled(source);
        if (!expression) return;
        answered++;
        const result = expression.evaluate(one);
        if ("value" in result) expect(result.value).toBeTypeOf("boolean");
        else
          expect(result.error.message).toMatch(
            /^(there is no such element|this is nil)/,
          );
        const hidden = { ...one, headers: UNKNOWN, ip: UNKNOWN } as const;
        expect(Object.keys(expression.evaluatePartly(hidden))).toHaveLength(1);
      }),
      { numRuns: 900 },
    );
    expect(answered).toBeGreaterThan(150);
  });

  test("every problem has a place within the source", () => {
    fc.assert(
      fc.property(anything, (source) => {
        const checked = checkExpression(source);
        if (checked.ok) return;
        expect(checked.problems.length).toBeGreaterThan(0);
        for (const problem of checked.problems) {
          const { offset, length, line, column } = problem;
          expect(Math.min(offset, length)).toBeGreaterThanOrEqual(0);
          expect(offset + length).toBeLessThanOrEqual(source.length);
          const text = source.split("\n")[line - 1] ?? "";
          expect(column).toBeLessThanOrEqual([...text].length + 1);
          for (const row of codeFrame(source, problem).split("\n"))
            expect([...row].length).toBeLessThanOrEqual(80);
        }
      }),
      { numRuns: 900 },
    );
  });
});
