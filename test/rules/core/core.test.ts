import fc from "fast-check";
import { expect, it } from "vitest";
import { compileExpression } from "../../../rules/src/eval/compile-expression";
import { printExpression } from "../../../rules/src/language";
import { keyOf } from "../../../rules/src/core/core";
import { coreOf } from "../../../rules/src/core/lower";
import { checked, checkedIfRight } from "../language/checked";
import * as random from "../language/random-expression";
import { request as anyRequest } from "../language/random-request";

const ORIGIN = "http.request.headers['Origin']";
it("an expression whose core says that it cannot fail never fails", () => {
  const seen = { safe: 0, failed: 0 };
  fc.assert(
    fc.property(random.supported, anyRequest, (source, request) => {
      const expression = checkedIfRight(source);
      if (!expression) return;
      const isFailed =
        "error" in compileExpression(expression).evaluate(request);
      if (isFailed) seen.failed++;
      else if (!coreOf(expression).mayFail) seen.safe++;
      if (isFailed) expect(coreOf(expression).mayFail).toBe(true);
    }),
    { numRuns: 1_500 },
  );
  expect(Math.min(seen.safe, seen.failed)).toBeGreaterThan(50);
});

it("a chain of thousands of comparisons has a key", () => {
  const chain = (count: number) =>
    keyOf(coreOf(checked(`sdk.platform.is_ios${" == true".repeat(count)}`)));
  expect(chain(4_990)).not.toBe(chain(4_989));
});

it("expressions have the same key only if they mean the same", () => {
  const key = (source: string) => keyOf(coreOf(checked(source)));
  expect(key(`${ORIGIN}[0] != 'a'`)).toBe(
    key("!(http.request.headers.Origin[0] == 'a')"),
  );
  const different = [
    "sdk.version == '1'",
    "sdk.version == '2'",
    "sdk.version startsWith '1'",
    "sdk.version endsWith '1'",
    "sdk.version matches '1'",
    "sdk.version in ['1', '2']",
    "sdk.version in ['1n', true]",
    "sdk.version in [1, true]",
    "lower(sdk.version) == '1'",
    "upper(sdk.version) == '1'",
    "len(sdk.version) == 1",
    "len(sdk.version) < 1",
    "len(sdk.version) <= 1",
    "http.request.ip in cidr('10.0.0.0/8')",
    "http.request.ip in cidr('10.0.0.0/9')",
    `any(${ORIGIN}, # == '1')`,
    `all(${ORIGIN}, # == '1')`,
    `none(${ORIGIN}, # == '1')`,
    `count(${ORIGIN}, # == '1') > 1`,
    `count(${ORIGIN}, # == '1') > 2`,
    "sdk.platform.is_ios && sdk.platform.is_android",
    "sdk.platform.is_ios || sdk.platform.is_android",
  ].map(key);
  expect(new Set(different).size).toBe(different.length);
  fc.assert(
    fc.property(random.supported, (source) => {
      const expression = checkedIfRight(source);
      if (expression)
        expect(key(printExpression(expression.root))).toBe(
          keyOf(coreOf(expression)),
        );
    }),
    { numRuns: 300 },
  );
});
