import { describe, expect, it } from "vitest";
import { cellsOf } from "../../helpers/cells-of";
import { openRuleFile } from "../../../rules/src/rule-file/rule-file";
import { RuleFileError } from "../../../rules/src/rule-file/rule-file-error";
import { runRuleTests } from "../../../rules/src/rule-file/run-rule-tests";

const RULES = `rules:
  - { name: crawlers, expression: http.user_agent.is_crawler_bot, action: deny }
  - { name: old, expression: "true", action: deny, status: disabled }
  - { name: shop, expression: "http.request.headers['Origin'][0] == 'https://shop.example'", action: allow }
  - { name: '1, "other"', expression: sdk.platform.is_browser, action: deny }
`;

const open = (tests: string) => openRuleFile(`${RULES}${tests}`, "f.yaml");
const run = (tests: string) => runRuleTests(open(tests));

/** A request, what is expected, and whether the test passes. */
const TESTS = `
{} | allow | true
{} | deny | false
{} | { allow: shop } | false
{ userAgent: Googlebot/2.1 } | deny | true
{ userAgent: Googlebot/2.1 } | { deny: crawlers } | true
{ userAgent: Googlebot/2.1 } | { deny: '1, "other"' } | false
{ userAgent: Googlebot/2.1 } | { allow: crawlers } | false
{ userAgent: Googlebot/2.1, isCrawlerBot: false } | allow | true
{ isCrawlerBot: true } | { deny: crawlers } | true
{ headers: { origin: https://shop.example }, sdkPlatform: js } | { allow: shop } | true
{ headers: { ORIGIN: [https://shop.example] } } | { allow: shop } | true
{ headers: { origin: https://shop.example, Origin: https://b.example } } | { allow: shop } | true
{ sdkPlatform: js } | { deny: old } | false
`;

describe("a test of rules", () => {
  const test = (request: string, expectation: string) => {
    const { tests } = run(
      `tests:\n  - name: a\n    request: ${request}\n    expect: ${expectation}\n`,
    );
    return tests[0] ?? expect.fail("no test");
  };

  it.each(cellsOf(TESTS))(
    "of %s that expects %s passes: %s",
    (request = "", expectation = "", passed) => {
      expect(test(request, expectation).passed).toBe(passed === "true");
    },
  );

  it("reports the decision, the deciding rule and the trace", () => {
    expect(test("{ sdkPlatform: js }", "{ allow: shop }")).toMatchObject({
      name: "a",
      passed: false,
      expected: { result: "allow", rule: "shop" },
      got: { result: "deny", rule: '1, "other"' },
      trace: [
        { rule: "crawlers", outcome: "not matched" },
        { rule: "old", outcome: "skipped" },
        {
          rule: "shop",
          outcome: "failed",
          problem: { message: expect.stringContaining("header") as string },
        },
        { rule: '1, "other"', outcome: "matched" },
      ],
      line: 9,
      column: 13,
    });
    expect(test("{}", "deny").got).toEqual({ result: "allow" });
  });
});

it("coverage counts the tests that each rule decides, also failed tests", () => {
  const { coverage } = run(`tests:
  - { name: a, request: { isCrawlerBot: true }, expect: deny }
  - { name: b, request: { isCrawlerBot: true, sdkPlatform: js }, expect: allow }
  - { name: c, request: {}, expect: allow }
`);
  expect(coverage).toEqual({
    enabled: [
      { rule: "crawlers", tests: 2 },
      { rule: "shop", tests: 0 },
      { rule: '1, "other"', tests: 0 },
    ],
    notReached: ["shop", '1, "other"'],
    disabled: ["old"],
  });
});

it("an invalid expression is a mistake with its place", () => {
  const text = `rules:
  - { name: a, expression: 'nope', action: deny }
  - name: b
    expression: |
      true
        && sdk.versoin == '3'
    action: deny
`;
  const failure = () => runRuleTests(openRuleFile(text, "f.yaml"));
  expect(failure).toThrow(RuleFileError);
  expect(failure).toSay("rule-file/tests-of-invalid-rules");
});
