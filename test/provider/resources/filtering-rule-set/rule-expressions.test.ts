import { expect, it } from "vitest";
import { expressionFailures } from "../../../../provider/src/resources/filtering-rule-set/rule-expressions";

const rule = (name: string, expression: string) => ({
  name,
  expression,
  action: "deny" as const,
  status: "enabled" as const,
});

const RULES = [
  rule("fine", "sdk.platform.is_ios && sdk.version matches '^3[.]'"),
  rule("typo", "http.user_agnt.is_crawler_bot"),
  rule("type", "sdk.version > 3"),
];

it("finds nothing in expressions that are right", () => {
  expect(expressionFailures(RULES.slice(0, 1))).toEqual([]);
  expect(expressionFailures([])).toEqual([]);
});

it("names the property of a program's rule and marks the place", () => {
  const [typo, ...others] = expressionFailures(RULES);
  expect(typo).toEqual({
    property: "rules[1].expression",
    reason:
      "http.user_agnt is not known; http has user_agent, request\n" +
      "1 | http.user_agnt.is_crawler_bot\n" +
      "  |      ^^^^^^^^^",
  });
  expect(others.map(({ property }) => property)).toEqual([
    "rules[2].expression",
  ]);
});
