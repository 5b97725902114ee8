import { expect, it } from "vitest";
import { compileRuleSet, type Rule } from "@devid/rules";
import { rule } from "./diff/rule";

function decide(
  rules: Rule[],
  request: { headers?: Record<string, string[]>; userAgent?: string } = {},
) {
  const compiled = compileRuleSet(rules);
  if (!compiled.ok) return expect.fail("the rules were refused");
  const { decidedBy, ...rest } = compiled.evaluate({ headers: {}, ...request });
  return { ...rest, decidedBy: decidedBy?.name };
}

// contract: rules-2
it("lets the first rule that matches decide", () => {
  const rules = [
    rule("ios", "sdk.platform.is_ios"),
    rule("shop", "true", { action: "allow" }),
    rule("rest", "true"),
  ];
  expect(decide(rules)).toEqual({
    result: "allow",
    decidedBy: "shop",
    trace: [
      { rule: "ios", outcome: "not matched" },
      { rule: "shop", outcome: "matched" },
    ],
  });
});

// contract: rules-3
it("allows a request that no rule matches", () => {
  const decision = decide([rule("ios", "sdk.platform.is_ios")]);
  expect(decision).toMatchObject({ result: "allow", decidedBy: undefined });
  expect(decide([])).toEqual({
    result: "allow",
    decidedBy: undefined,
    trace: [],
  });
});

it("skips a disabled rule", () => {
  const decision = decide([rule("off", "true", { status: "disabled" })]);
  expect(decision.result).toBe("allow");
  expect(decision.trace).toEqual([{ rule: "off", outcome: "skipped" }]);
});

it("passes over a rule that fails, and reports it", () => {
  const rules = [
    rule("origin", "http.request.headers['Origin'][0] == 'https://a.example'"),
    rule("rest", "true"),
  ];
  const missing = decide(rules);
  expect(missing.decidedBy).toBe("rest");
  expect(missing.trace[0]).toMatchObject({
    rule: "origin",
    outcome: "failed",
    problem: { line: 1 },
  });
  const headers = { Origin: ["https://a.example"] };
  expect(decide(rules, { headers }).decidedBy).toBe("origin");
});

it("refuses a set with invalid rules, and names each", () => {
  const compiled = compileRuleSet([
    rule("fine", "true"),
    rule("typo", "http.usr_agent"),
    rule("type", "sdk.version > 3"),
  ]);
  if (compiled.ok) return expect.fail("the rules were taken");
  expect(
    compiled.refused.map(({ index, rule: { name }, problems }) => ({
      index,
      name,
      problems: problems.length,
    })),
  ).toEqual([
    { index: 1, name: "typo", problems: 1 },
    { index: 2, name: "type", problems: 1 },
  ]);
});
