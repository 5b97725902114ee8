import fc from "fast-check";
import { expect, it } from "vitest";
import { compileExpression } from "../../../rules/src/eval/compile-expression";
import { checkExpression, printExpression } from "../../../rules/src/language";
import { keyOf, nodesOf } from "../../../rules/src/core/core";
import { coreOf } from "../../../rules/src/core/lower";
import * as random from "../language/random-expression";
import { request as anyRequest } from "../language/random-request";

function checkedOf(source: string) {
  const checked = checkExpression(source);
  return checked.ok ? checked.expression : undefined;
}
function coreFor(source: string) {
  const expression = checkedOf(source);
  return expression ? coreOf(expression) : expect.fail(`${source} is wrong`);
}

const ORIGIN = "http.request.headers['Origin']";
const LEAVES: readonly string[] = ["constant", "field", "pointer"];

it.each([
  [`all(${ORIGIN}, # == 'a')`, "header equal some not"],
  [`none(${ORIGIN}, # == 'a')`, "header equal some not"],
  ["sdk.version != 'a'", "equal not"],
  ["sdk.version not in ['a']", "list in not"],
  ["'Origin' in http.request.headers", "header equal not"],
  [`count(${ORIGIN}, # == 'a') > 0`, "header equal filter call order"],
  ["http.request.ip not in cidr('203.0.113.0/24')", "network not"],
  ["sdk.platform.is_ios ?: sdk.platform.is_android", "if"],
  ["true && sdk.version == 'a'", "equal"],
  ["1 == 1 || sdk.version == 'a'", ""],
])("the core of %s has these kinds of nodes", (source, kinds) => {
  const found = nodesOf(coreFor(source)).map(({ kind }) => kind);
  expect(found.filter((kind) => !LEAVES.includes(kind)).join(" ")).toBe(kinds);
});

it("the core of an expression is built once", () => {
  const expression = checkedOf("sdk.version == 'a'");
  if (!expression) throw new Error("does not check");
  expect(coreOf(expression)).toBe(coreOf(expression));
});

it("an expression whose core says that it cannot fail never fails", () => {
  const seen = { safe: 0, failed: 0 };
  fc.assert(
    fc.property(random.supported, anyRequest, (source, request) => {
      const expression = checkedOf(source);
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

it("expressions have the same key only if they mean the same", () => {
  const key = (source: string) => keyOf(coreFor(source));
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
      const expression = checkedOf(source);
      if (expression)
        expect(key(printExpression(expression.root))).toBe(
          keyOf(coreOf(expression)),
        );
    }),
    { numRuns: 300 },
  );
});
