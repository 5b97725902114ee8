import { describe, expect, it } from "vitest";
import {
  checkExpression,
  compileExpression,
  compileRuleSet,
  evaluateLine,
  findRequest,
  lintRules,
  matches,
  UNKNOWN,
  type RuleRequest,
} from "../../../rules/src";

const HEADER = "http.request.headers['X-A']";
const nested = (depth: number): string =>
  depth === 0 ? "# == 'never'" : `any(${HEADER}, ${nested(depth - 1)})`;
const requestOf = (values: number): RuleRequest => ({
  headers: { "X-A": Array.from({ length: values }, (_, i) => `v${i}`) },
});

function checkedOf(source: string) {
  const checked = checkExpression(source);
  return checked.ok ? checked.expression : expect.fail(`${source} is wrong`);
}
const compiled = (source: string) => compileExpression(checkedOf(source));

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

  it("make their rule fail, and the other rules decide", () => {
    const rule = (name: string, expression: string) =>
      ({
        name,
        expression,
        action: "deny",
        status: "enabled",
        denyWith: undefined,
      }) as const;
    const set = compileRuleSet([
      rule("slow", `!${nested(6)}`),
      rule("sent", "'X-A' in http.request.headers"),
    ]);
    if (!set.ok) throw new Error("a rule is wrong");
    const { decidedBy, trace } = set.evaluate(requestOf(50));
    expect(decidedBy?.name).toBe("sent");
    expect(trace[0]?.outcome).toBe("failed");
  });

  it("make a line of `rules eval` answer an error", () => {
    const line = JSON.stringify({
      expression: nested(6),
      request: { headers: requestOf(50).headers },
    });
    expect(evaluateLine(line)).toMatchObject({
      error: { line: 1, message: expect.stringContaining("100,000") as string },
    });
  });

  it("are never proven true, because they fail with many values", () => {
    const always = `${nested(2)} || !${nested(2)}`;
    const found = findRequest({ kind: "not", of: matches(checkedOf(always)) });
    expect(found.answer).not.toBe("none");
  });

  it("are reported by lint", () => {
    const [finding] = lintRules([
      {
        name: "slow",
        expression: `sdk.platform.is_ios && ${nested(3)}`,
        action: "deny",
        status: "enabled",
        denyWith: undefined,
      },
    ]).filter(({ code }) => code === "nested-quantifiers");
    expect(finding?.message).toContain("once for each value");
  });
});

describe("a single quantifier", () => {
  it("takes any number of values", () => {
    const expression = compiled(nested(1));
    expect(expression.evaluate(requestOf(300_000))).toEqual({ value: false });
  });
});
