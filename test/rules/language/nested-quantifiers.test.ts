import { describe, expect, it } from "vitest";
import {
  compileExpression,
  findRequest,
  matches,
  UNKNOWN,
  type RuleRequest,
} from "../../../rules/src";
import { checked } from "./checked";

const HEADER = "http.request.headers['X-A']";
const nested = (depth: number): string =>
  depth === 0 ? "# == 'never'" : `any(${HEADER}, ${nested(depth - 1)})`;
const requestOf = (values: number): RuleRequest => ({
  headers: { "X-A": Array.from({ length: values }, (_, i) => `v${i}`) },
});

const compiled = (source: string) => compileExpression(checked(source));

describe("nested quantifiers", () => {
  it.each([2, 3, 6, 20, 100])("%i levels deep over 300 values end", (depth) => {
    // Without the limit, 300 to the power of `depth` steps would not end.
    const result = compiled(nested(depth)).evaluate(requestOf(300));
    if (depth === 2) expect(result).toEqual({ value: false });
    else
      expect(result).toMatchObject({
        error: {
          message:
            "this would ask about more than 100,000 values of lists for each other",
        },
      });
  });

  it("are counted over the whole expression", () => {
    const both = `${nested(2)} || !${nested(2)}`;
    expect(compiled(both).evaluate(requestOf(300))).toHaveProperty("error");
    expect(compiled(both).evaluate(requestOf(200))).toEqual({ value: true });
  });

  it("fail too if parts of the request are unknown", () => {
    const both = `${nested(2)} || !${nested(2)}`;
    const request = { ...requestOf(300), ip: UNKNOWN } as const;
    expect(compiled(both).evaluatePartly(request)).toHaveProperty("error");
  });

  it("are never proven true, because they fail with many values", () => {
    const always = `${nested(2)} || !${nested(2)}`;
    const found = findRequest({ kind: "not", of: matches(checked(always)) });
    expect(found.answer).not.toBe("none");
  });
});

it("a single quantifier takes any number of values", () => {
  const expression = compiled(nested(1));
  expect(expression.evaluate(requestOf(300_000))).toEqual({ value: false });
});
