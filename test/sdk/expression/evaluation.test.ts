import { describe, expect, test } from "vitest";
import {
  checkExpression,
  compileExpression,
  type RuleRequest,
} from "../../../sdk/src/rules/expression";
import { examples, requests } from "./examples";

function answer(expression: string, request: RuleRequest) {
  const checked = checkExpression(expression);
  if (!checked.ok) return "mistake";
  const result = compileExpression(checked.expression).evaluate(request);
  return "error" in result ? "error" : result.value;
}

test.each(examples)("$expression", ({ expression, answers }) => {
  expect(requests.map((request) => answer(expression, request))).toEqual(
    answers,
  );
});

describe("headers", () => {
  test("match in any letter case, the exact name first", () => {
    const expression = "http.request.headers['x-id'][0] == 'a'";
    expect(answer(expression, { headers: { "X-ID": ["a"] } })).toBe(true);
    const both = { headers: { "X-ID": ["b"], "x-id": ["a"] } };
    expect(answer(expression, both)).toBe(true);
    expect(answer("'X-Id' in http.request.headers", both)).toBe(true);
  });

  test("are not found on the prototype of an object", () => {
    const request = { headers: {} };
    expect(answer("'constructor' in http.request.headers", request)).toBe(
      false,
    );
    expect(answer("http.request.headers.toString == nil", request)).toBe(true);
  });
});

test("an error of evaluation has the place of what failed", () => {
  const source = "true &&\n  http.request.headers['No'][0] == 'a'";
  const checked = checkExpression(source);
  if (!checked.ok) throw new Error("does not check");
  const compiled = compileExpression(checked.expression);
  expect(compiled.evaluate({ headers: {} })).toEqual({
    error: {
      message:
        "there is no such element: the list is shorter, or the header was not sent",
      line: 2,
      column: 3,
      offset: 10,
      length: 29,
    },
  });
});
