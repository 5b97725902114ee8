import { describe, expect, test } from "vitest";
import {
  checkExpression,
  compileExpression,
  type RuleRequest,
} from "../../../rules/src/language";
import { examples, requests, type Answer } from "./examples";

/** The value, or the first message, of the checker or of an evaluation. */
function answer(expression: string, request: RuleRequest): Answer {
  const checked = checkExpression(expression);
  if (!checked.ok) return checked.problems[0]?.message ?? "";
  const result = compileExpression(checked.expression).evaluate(request);
  return "error" in result ? result.error.message : result.value;
}

test.each(examples)("$expression", ({ expression, checks, answers }) => {
  expect(checkExpression(expression).ok).toBe(checks);
  requests.forEach((request, i) => {
    const found = answer(expression, request);
    const expected = answers[i];
    if (typeof expected === "string")
      expect(String(found).slice(0, expected.length)).toBe(expected);
    else expect(found).toBe(expected);
  });
});

test("no example stands there twice", () => {
  const texts = examples.map(({ expression }) => expression);
  expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
});

describe("headers", () => {
  test("match in any letter case, the exact name first", () => {
    const expression = "http.request.headers['x-id'][0] == 'a'";
    expect(answer(expression, { headers: { "X-ID": ["a"] } })).toBe(true);
    const both = { headers: { "X-ID": ["b"], "x-id": ["a"] } };
    expect(answer(expression, both)).toBe(true);
    expect(answer("'X-Id' in http.request.headers", both)).toBe(true);
    expect(answer("lower('X-Id') in http.request.headers", both)).toBe(true);
    const spelt = { headers: { "X-ID": ["a"], "x-Id": ["b"] } };
    expect(answer(expression, spelt)).toBe(true);
    const computed = "http.request.headers[lower('X-ID')][0] == 'b'";
    expect(answer(computed, { headers: { "X-Id": ["b"] } })).toBe(true);
  });

  test("are not found on the prototype of an object", () => {
    const request = { headers: {} };
    expect(answer("'constructor' in http.request.headers", request)).toBe(
      false,
    );
    expect(answer("http.request.headers.toString == nil", request)).toBe(true);
  });
});

test("an error of evaluation has the place of what failed, each time", () => {
  const source = "true &&\n  http.request.headers['No'][0] == 'a'";
  const checked = checkExpression(source);
  if (!checked.ok) throw new Error("does not check");
  const compiled = compileExpression(checked.expression);
  const error = {
    message:
      "there is no such element: the list is shorter, or the header was not sent",
    line: 2,
    column: 3,
    offset: 10,
    length: 29,
  };
  expect(compiled.evaluate({ headers: {} })).toEqual({ error });
  expect(compiled.evaluate({ headers: { No: ["a"] } })).toEqual({
    value: true,
  });
  expect(compiled.evaluate({ headers: {} })).toEqual({ error });
});

test("of several failures the first is told", () => {
  const source = "[http.request.headers['A'][0], http.request.headers['B'][0]]";
  const checked = checkExpression(`'a' in ${source}`);
  if (!checked.ok) throw new Error("does not check");
  const result = compileExpression(checked.expression).evaluate({
    headers: {},
  });
  expect(result).toMatchObject({ error: { column: 9 } });
});

test("an address is read anew for each request", () => {
  const source = "http.request.ip in cidr('10.0.0.0/8')";
  const ips = ["10.0.0.1", undefined, "11.0.0.1", "10.0.0.1", "x", "10.0.0.2"];
  expect(ips.map((ip) => answer(source, { headers: {}, ip }))).toEqual([
    true,
    false,
    false,
    true,
    false,
    true,
  ]);
});
