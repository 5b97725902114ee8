import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { columnsOfCharacter } from "../../../rules/src/language/text/characters";
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
            expect(stringWidth(row)).toBeLessThanOrEqual(80);
        }
      }),
      { numRuns: 900 },
    );
  });
});

describe("the frame of a problem", () => {
  test("marks its place behind and at characters that take no, two or eight columns", () => {
    const part = fc.constantFrom(
      ..."a \t日😀e\u0301\u202e\u200bé".split(/(?!\u0301)/u),
    );
    const text = fc
      .array(part, { maxLength: 90 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, text, (before, marked, behind) => {
        const [column, end] = [before, before + marked].map(
          (upTo) => [...upTo].length + 1,
        ) as [number, number];
        const frame = codeFrame(before + marked + behind, {
          ...{ line: 1, column, end: { line: 1, column: end } },
        });
        const [line = "", marks = ""] = frame.split("\n");
        for (const row of [line, marks])
          expect(stringWidth(row)).toBeLessThanOrEqual(80);
        // Only what is not cut can be found again.
        if (line.includes("...")) return;
        const shown = (whole: string) =>
          codeFrame(whole, {
            ...{ line: 1, column: 1, end: { line: 1, column: 1 } },
          }).split("\n")[0] ?? "";
        const from = stringWidth(shown(`${before}|`)) - 1;
        const to = stringWidth(shown(`${before}${marked}|`)) - 1;
        const expected = "^".repeat(Math.max(1, to - from));
        expect(marks).toBe(`  | ${" ".repeat(from - 4)}${expected}`);
      }),
    );
  });

  test("is no wider where the line is cut beside a combining mark", () => {
    for (let at = 60; at < 90; at++) {
      const line = `${"x".repeat(at)}e\u0301${"x".repeat(160 - at)}`;
      for (const column of [1, 80, 160]) {
        const end = { line: 1, column: column + 1 };
        const frame = codeFrame(line, { line: 1, column, end });
        for (const row of frame.split("\n"))
          expect(stringWidth(row)).toBeLessThanOrEqual(80);
      }
    }
  });

  test("counts columns as string-width does, except of emoji, of which it knows the older ones", () => {
    const different: string[] = [];
    for (let code = 32; code < 0x40000; code++) {
      const character = String.fromCodePoint(code);
      if (/[\p{C}\p{Z}]/u.test(character) && character !== " ") continue;
      if (stringWidth(character) !== columnsOfCharacter(character))
        different.push(character);
    }
    expect(different.join("")).toMatch(/^\p{Emoji}*$/u);
  });
});
