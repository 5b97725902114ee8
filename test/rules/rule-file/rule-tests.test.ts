import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRuleFile } from "../../../rules/src/rule-file/rule-file";
import { RuleFileError } from "../../../rules/src/rule-file/rule-file-error";
import { runRuleTests } from "../../../rules/src/rule-file/run-rule-tests";
import { updateExpectations } from "../../../rules/src/rule-file/update-expectations";

const RULES = `rules:
  - { name: crawlers, expression: http.user_agent.is_crawler_bot, action: deny }
  - { name: old, expression: "true", action: deny, status: disabled }
  - { name: shop, expression: "http.request.headers['Origin'][0] == 'https://shop.example'", action: allow }
  - { name: '1, "other"', expression: sdk.platform.is_browser, action: deny }
`;

const open = (tests: string) => openRuleFile(`${RULES}${tests}`, "f.yaml");
const run = (tests: string) => runRuleTests(open(tests));

describe("a test of rules", () => {
  const test = (request: string, expectation: string) => {
    const { tests } = run(
      `tests:\n  - name: a\n    request: ${request}\n    expect: ${expectation}\n`,
    );
    return tests[0] ?? expect.fail("no test");
  };

  it.each([
    ["{}", "allow", true],
    ["{}", "deny", false],
    ["{}", "{ allow: shop }", false],
    ["{ userAgent: Googlebot/2.1 }", "deny", true],
    ["{ userAgent: Googlebot/2.1 }", "{ deny: crawlers }", true],
    ["{ userAgent: Googlebot/2.1 }", `{ deny: '1, "other"' }`, false],
    ["{ userAgent: Googlebot/2.1 }", "{ allow: crawlers }", false],
    ["{ userAgent: Googlebot/2.1, isCrawlerBot: false }", "allow", true],
    ["{ isCrawlerBot: true }", "{ deny: crawlers }", true],
    [
      "{ headers: { origin: https://shop.example }, sdkPlatform: js }",
      "{ allow: shop }",
      true,
    ],
    [
      "{ headers: { ORIGIN: [https://shop.example] } }",
      "{ allow: shop }",
      true,
    ],
    [
      "{ headers: { origin: https://shop.example, Origin: https://b.example } }",
      "{ allow: shop }",
      true,
    ],
    ["{ sdkPlatform: js }", "{ deny: old }", false],
  ])("of %s that expects %s passes: %s", (request, expectation, passed) => {
    expect(test(request, expectation).passed).toBe(passed);
  });

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

describe("coverage", () => {
  it("counts the tests that each rule decides, also failed tests", () => {
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

  it("is reported without tests", () => {
    expect(run("").coverage.notReached).toHaveLength(3);
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

describe("updating expectations", () => {
  const update = (tests: string) => {
    const file = open(tests);
    const { text, changes } = updateExpectations(file, runRuleTests(file));
    expect(text.startsWith(RULES)).toBe(true);
    const again = runRuleTests(openRuleFile(text, "f.yaml"));
    expect(again.tests.every(({ passed }) => passed)).toBe(true);
    return { text: text.slice(RULES.length), changes };
  };
  const BOT = "request: { isCrawlerBot: true }";

  it("changes nothing if all tests pass", () => {
    const tests = `tests:\n  - { name: a, ${BOT}, expect: deny }\n`;
    expect(update(tests)).toEqual({ text: tests, changes: [] });
  });

  const blocks = readFileSync(join(__dirname, "expectations.txt"), "utf8")
    .split(/^---\n/m)
    .map((block) =>
      (/^# (.*)\n(.*)\n([^]*)\n=>\n([^]*)\n$/.exec(block) ?? []).slice(1),
    );

  it.each(blocks)("of %s keeps the rest of the file", (_, ...block) => {
    const [request = "", from = "", to = ""] = block;
    const tests = (expectation: string) =>
      `tests:\n  - name: a\n    ${request}\n    expect: ${expectation}\n# end\n`;
    expect(update(tests(from)).text).toBe(tests(to));
  });

  it("replaces an alias of a rule's name", () => {
    const text = `rules:
  - { name: &one one, expression: isnt, action: deny }
  - { name: two, expression: "true", action: deny }
tests:
  - { name: a, request: {}, expect: { deny: *one } }
`.replace("isnt", '"false"');
    const file = openRuleFile(text, "f.yaml");
    const updated = updateExpectations(file, runRuleTests(file));
    expect(updated.text).toBe(text.replace("*one", "two"));
  });

  it("keeps JSON as JSON", () => {
    const content = {
      rules: [{ name: "a", expression: "true", action: "deny" }],
      tests: [
        { name: "t", request: {}, expect: "allow" },
        { name: "u", request: {}, expect: { allow: "a" } },
      ],
    };
    const text = JSON.stringify(content, undefined, 2);
    const file = openRuleFile(text, "f.json");
    const updated = updateExpectations(file, runRuleTests(file));
    const [t, u] = content.tests;
    expect(JSON.parse(updated.text)).toEqual({
      ...content,
      tests: [
        { ...t, expect: "deny" },
        { ...u, expect: { deny: "a" } },
      ],
    });
  });

  it("reports each change and the rule that decides now", () => {
    const { changes } = update(
      `tests:\n  - { name: a, ${BOT}, expect: allow }\n  - { name: b, request: {}, expect: { deny: shop } }\n`,
    );
    expect(changes).toEqual([
      {
        test: "a",
        from: { result: "allow" },
        to: { result: "deny" },
        decidedBy: "crawlers",
        line: 7,
        column: 57,
        end: { line: 7, column: 62 },
      },
      {
        test: "b",
        from: { result: "deny", rule: "shop" },
        to: { result: "allow" },
        line: 8,
        column: 37,
        end: { line: 8, column: 51 },
      },
    ]);
  });

  it.each([
    `tests:\n  - { name: a, ${BOT}, expect: &x allow }\n  - { name: b, request: {}, expect: *x }\n`,
    `tests:\n  - { name: a, request: {}, expect: &x allow }\n  - { name: b, ${BOT}, expect: *x }\n`,
    `tests:\n  - { name: a, request: {}, expect: { deny: &x shop } }\n  - { name: b, request: {}, expect: { allow: *x } }\n`,
    `tests:\n  - name: a\n    ${BOT}\n    expect: |-\n      allow\n`,
  ])(
    "refuses an expectation that tests share by an anchor or that is a block of text",
    (tests) => {
      const file = open(tests);
      expect(() => updateExpectations(file, runRuleTests(file))).toThrow(
        /f\.yaml:\d:\d+ what the test ".*" expects cannot be changed where it stands; change it by hand/,
      );
    },
  );
});
