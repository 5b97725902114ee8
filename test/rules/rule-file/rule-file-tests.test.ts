import { describe, expect, it } from "vitest";
import { openRuleFile } from "../../../rules/src/rule-file/rule-file";
import { RuleFileError } from "../../../rules/src/rule-file/rule-file-error";

const RULES = [
  "rules:",
  "  - { name: bots, expression: http.user_agent.is_ai_bot, action: deny }",
];

const tests = (...lines: string[]) =>
  openRuleFile([...RULES, "tests:", ...lines].join("\n"), "f.yaml").tests;

const TEST = ["  - name: a", "    request: {}", "    expect: allow"];

function mistakes(...lines: string[]): string[] {
  try {
    tests(...lines);
  } catch (error) {
    if (error instanceof RuleFileError)
      return error.problems.map((p) => `${p.line}:${p.column} ${p.message}`);
    throw error;
  }
  return [];
}

describe("the tests of a rule file", () => {
  it("are read into one form", () => {
    expect(
      tests(
        ...TEST,
        "  - name: b",
        "    request:",
        "      headers: { Origin: https://a.example, X: [a, b] }",
        "      ip: 2001:db8::1",
        "      userAgent: curl",
        "      sdkPlatform: js",
        "      sdkVersion: 3.11.0",
        "      appPackageName: com.example",
        "      isAiBot: true",
        "      isCrawlerBot: false",
        "    expect: { deny: bots }",
      ),
    ).toEqual([
      { name: "a", request: { headers: {} }, expect: { result: "allow" } },
      {
        name: "b",
        request: {
          headers: { Origin: ["https://a.example"], X: ["a", "b"] },
          ip: "2001:db8::1",
          userAgent: "curl",
          sdkPlatform: "js",
          sdkVersion: "3.11.0",
          appPackageName: "com.example",
          isAiBot: true,
          isCrawlerBot: false,
        },
        expect: { result: "deny", rule: "bots" },
      },
    ]);
  });

  it("may be left out", () => {
    expect(openRuleFile("rules: []", "f.yaml").tests).toEqual([]);
  });
});

describe("a mistake in a test has its place", () => {
  const request = (...lines: string[]) =>
    mistakes(
      TEST[0] ?? "",
      `    request: { ${lines.join(", ")} }`,
      TEST[2] ?? "",
    );
  const expecting = (text: string) =>
    mistakes(...TEST.slice(0, 2), `    expect: ${text}`);
  const EXPECT =
    /^6:13 tests\[0\]\.expect: must be allow, deny, \{ allow: RULE/;

  it.each<[string, string[], RegExp]>([
    [
      "no request",
      mistakes(...TEST.slice(0, 1), TEST[2] ?? ""),
      /^4:5 tests\[0\]\.request: is required$/,
    ],
    [
      "no expectation",
      mistakes(...TEST.slice(0, 2)),
      /^4:5 tests\[0\]\.expect: is required$/,
    ],
    [
      "no name",
      mistakes("  - name: ''", ...TEST.slice(1)),
      /^4:11 tests\[0\]\.name: /,
    ],
    [
      "an unknown part",
      mistakes(...TEST, "    not: 1"),
      /^7:5 tests\[0\]\.not: is not known$/,
    ],
    [
      "an unknown part of the request",
      request("user_agent: x"),
      /^5:16 tests\[0\]\.request\.user_agent: is not known$/,
    ],
    [
      "an invalid address",
      request("ip: 10.0.0.300"),
      /^5:20 tests\[0\]\.request\.ip: is no IP address$/,
    ],
    [
      "a version that YAML reads as a number",
      request("sdkVersion: 3.1"),
      /^5:28 .*sdkVersion: must be a text$/,
    ],
    [
      "an unknown platform",
      request("sdkPlatform: browser"),
      /^5:29 .*sdkPlatform: must be one of js, android/,
    ],
    [
      "a header that is a number",
      request("headers: { A: 5 }"),
      /^5:30 .*headers\.A: must be a text or a list of texts/,
    ],
    [
      "a flag that is a text",
      request("isAiBot: 'yes'"),
      /^5:25 .*isAiBot: must be true or false$/,
    ],
    [
      "both bot flags, which no request has",
      request("isAiBot: true, isCrawlerBot: true"),
      /^5:45 .*isCrawlerBot: no request is of an AI bot and of a crawler at once/,
    ],
    [
      "a header that no request has",
      request("headers: { 'a b': x }"),
      /headers\.?.*a b.*: no header can be called so/,
    ],
    ["an unknown result", expecting("refuse"), EXPECT],
    ["two results", expecting("{ deny: bots, allow: bots }"), EXPECT],
    ["a list of rules", expecting("{ deny: [bots] }"), EXPECT],
    [
      "an unknown rule",
      expecting("{ deny: bot }"),
      /^6:21 tests\[0\]\.expect\.deny: no rule of the file is named "bot"$/,
    ],
    [
      "a repeated name",
      mistakes(...TEST, ...TEST),
      /^7:11 tests\[1\]\.name: "a" is the name of tests\[0\], too; names are unique in a file$/,
    ],
  ])("%s", (_, found, expected) => {
    expect(found).toEqual([expect.stringMatching(expected)]);
  });
});
