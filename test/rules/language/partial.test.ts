import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  FIELDS,
  UNKNOWN,
  type PartialRuleRequest,
  type RuleRequest,
} from "../../../rules/src/language";
import { isPossible } from "../solver/is-possible";
import { compiledIfRight as compiled } from "./checked";
import * as random from "./random-expression";
import { request as anyRequest } from "./random-request";

const partly = (source: string, request: PartialRuleRequest) =>
  compiled(source)?.evaluatePartly(request);

const U = "sdk.platform.is_ios";
const request: PartialRuleRequest = {
  headers: { Origin: ["a"] },
  otherHeaders: "unknown",
  sdkPlatform: UNKNOWN,
  ip: UNKNOWN,
};
const header = "http.request.headers['X-Foo'][0] == 'a'";
const unknownHeader = { unknown: ["http.request.headers['X-Foo']"] };

describe("the three values true, false and unknown", () => {
  test.each([
    [U, { unknown: [U] }],
    [`!${U}`, { unknown: [U] }],
    [`${U} && false`, { value: false }],
    [`http.user_agent.is_ai_bot && ${U}`, { value: false }],
    [`${U} && http.user_agent.is_ai_bot`, { value: false }],
    [`!(${U} && http.user_agent.is_ai_bot)`, { value: true }],
    [`${U} || !http.user_agent.is_ai_bot`, { value: true }],
    [`${U} || http.user_agent.is_ai_bot`, { unknown: [U] }],
    [`${U} ? true : true`, { value: true }],
    [`http.user_agent.is_ai_bot ? ${U} : true`, { value: true }],
    [header, unknownHeader],
    [`${header} && ${U}`, { unknown: [...unknownHeader.unknown, U] }],
    ["'X-Foo' in http.request.headers", unknownHeader],
    ["'Origin' in http.request.headers", { value: true }],
    // No request has a header with this spelling, so this header is not unknown.
    ["'origin' in http.request.headers", { value: false }],
    ["'x-foo' not in http.request.headers", { value: true }],
    [`any(http.request.headers['x-foo'], # == 'a') && ${U}`, { value: false }],
    ["len(http.request.headers['x-foo'] ?? []) == 0", { value: true }],
    ["http.request.headers['Origin'][0] == 'a'", { value: true }],
    ["len(http.request.headers) > 0", { unknown: ["http.request.headers"] }],
    ["http.request.ip in cidr('10.0.0.0/8')", { unknown: ["http.request.ip"] }],
    // This may fail, and then it does not match either.
    [`${header} && http.user_agent.is_ai_bot`, { value: false }],
    // If this fails, the whole expression fails. So it is not certain to be true.
    [`!(${header} && http.user_agent.is_ai_bot)`, unknownHeader],
    [`${header} || !http.user_agent.is_ai_bot`, unknownHeader],
  ])("%s", (source, expected) => {
    expect(partly(source, request)).toEqual(expected);
  });

  test("one header or all headers may be unknown", () => {
    const one = { headers: { "X-Foo": UNKNOWN } } as const;
    expect(partly(header, one)).toEqual(unknownHeader);
    expect(partly(header, { headers: UNKNOWN })).toEqual(unknownHeader);
    expect(partly("'X-Bar' in http.request.headers", one)).toEqual({
      value: false,
    });
  });

  test("nil as the last operand of a chain makes the enclosing expression fail", () => {
    const source = `!(!http.user_agent.is_ai_bot && (http.user_agent.is_crawler_bot ? true : nil))`;
    expect(partly(source, request)).toHaveProperty("error.column", 3);
    expect(partly(`${U} || ${source}`, request)).toEqual({ unknown: [U] });
  });

  test("a certain failure has its place", () => {
    const failure = { error: { line: 1, column: 1 } };
    expect(partly(header, { headers: {} })).toMatchObject(failure);
    // The first part fails, whatever is known of the others.
    const second = "http.request.headers['Origin'][1] contains 'b'";
    expect(partly(`${second} || ${U} || ${header}`, request)).toMatchObject(
      failure,
    );
  });
});

/** The members of a request that fields are read from, except the headers. */
const hidable = [...new Set(FIELDS.map(({ from }) => from))].filter(
  (member) => member !== "headers",
);

/** The request with some fields and all headers except `kept` hidden. */
function hide(
  whole: RuleRequest,
  fields: readonly (typeof hidable)[number][],
  keptHeaders: readonly string[],
): PartialRuleRequest {
  const hidden = Object.fromEntries(fields.map((field) => [field, UNKNOWN]));
  const entries = Object.entries(whole.headers);
  return {
    ...whole,
    ...hidden,
    headers: Object.fromEntries(
      entries.filter(([k]) => keptHeaders.includes(k)),
    ),
    otherHeaders: "unknown",
  };
}

test("a certain answer about a partly unknown request holds for every value of the unknown parts", () => {
  const seen = { true: 0, false: 0, unknown: 0 };
  fc.assert(
    fc.property(
      fc.oneof(random.documented, random.supported),
      anyRequest.filter(isPossible),
      fc.subarray([...hidable]),
      fc.subarray(["Origin", "Referer", "X-A", "X-B"]),
      (source, whole, fields, kept) => {
        const expression = compiled(source);
        if (!expression) return;
        const part = expression.evaluatePartly(hide(whole, fields, kept));
        const full = expression.evaluate(whole);
        if ("unknown" in part) {
          seen.unknown++;
          expect(part.unknown.length).toBeGreaterThan(0);
        } else if ("error" in part) expect(full).toHaveProperty("error");
        else {
          seen[part.value ? "true" : "false"]++;
          expect("value" in full && full.value).toBe(part.value);
        }
      },
    ),
    { numRuns: 1_200 },
  );
  expect(Math.min(seen.true, seen.false, seen.unknown)).toBeGreaterThan(30);
});

test("with every part known it gives the same answer as plain evaluation", () => {
  fc.assert(
    fc.property(random.supported, anyRequest, (source, whole) => {
      const expression = compiled(source);
      if (!expression) return;
      const full = expression.evaluate(whole);
      const part = expression.evaluatePartly(whole);
      if ("value" in full) expect(part).toEqual(full);
      else expect(part).toHaveProperty("error");
    }),
    { numRuns: 600 },
  );
});
