import { describe, expect, test } from "vitest";
import { compileExpression } from "../../../rules/src/eval/compile-expression";
import { checkExpression } from "../../../rules/src/language";
import { answer, checked } from "./checked";
import { examples, requests } from "./examples/examples";

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

test("no example is listed twice", () => {
  const texts = examples.map(({ expression }) => expression);
  expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
});

describe("headers", () => {
  // contract: rules-23
  test("match only with the same upper and lower case", () => {
    const id = "http.request.headers['X-Id'][0] == 'a'";
    const computed = "any(http.request.headers[lower('X-Id')], # == 'a')";
    const isSent = "'X-Id' in http.request.headers";
    const isComputedSent = "lower('X-Id') in http.request.headers";
    const canonical = { headers: { "X-Id": ["a"] } };
    const lower = { headers: { "x-id": ["a"] } };
    const both = { headers: { "x-id": ["a"], "X-Id": ["b"] } };
    expect(answer(id, canonical)).toBe(true);
    expect(answer(id, lower)).toMatch("there is no such element");
    expect(answer(id, both)).toBe(false);
    expect(answer("http.request.headers['x-id'][0] == 'a'", canonical)).toBe(
      "there is no such element: rules see this header as X-Id, so 'x-id' is never found",
    );
    expect(answer(computed, lower)).toBe(true);
    expect(answer(computed, canonical)).toBe(false);
    expect(answer(isSent, canonical)).toBe(true);
    expect(answer(isSent, lower)).toBe(false);
    expect(answer(isComputedSent, lower)).toBe(true);
    expect(answer(isComputedSent, canonical)).toBe(false);
  });

  test("are not looked up on the prototype of an object", () => {
    expect(answer("'constructor' in http.request.headers")).toBe(false);
    expect(answer("http.request.headers.toString == nil")).toBe(true);
  });
});

test("each error of an evaluation has the place of the failure", () => {
  const source = "true &&\n  http.request.headers['No'][0] == 'a'";
  const compiled = compileExpression(checked(source));
  const error = {
    message:
      "there is no such element: the list is shorter, or the header was not sent",
    line: 2,
    column: 3,
    offset: 10,
    length: 29,
    end: { line: 2, column: 32 },
  };
  expect(compiled.evaluate({ headers: {} })).toEqual({ error });
  expect(compiled.evaluate({ headers: { No: ["a"] } })).toEqual({
    value: true,
  });
  expect(compiled.evaluate({ headers: {} })).toEqual({ error });
});

test("the first of several failures is reported", () => {
  const source = "[http.request.headers['A'][0], http.request.headers['B'][0]]";
  const compiled = compileExpression(checked(`'a' in ${source}`));
  const result = compiled.evaluate({ headers: {} });
  expect(result).toMatchObject({ error: { column: 9 } });
});

test("an address is parsed again for each request", () => {
  const source = "http.request.ip in cidr('10.0.0.0/8')";
  const ips = ["10.0.0.1", undefined, "11.0.0.1", "10.0.0.1", "x", "10.0.0.2"];
  const inside = ips.filter((ip) => answer(source, { headers: {}, ip }));
  expect(inside).toEqual(["10.0.0.1", "10.0.0.1", "10.0.0.2"]);
});
