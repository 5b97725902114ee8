import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevidError } from "@devid/sdk";
import {
  openRuleFile,
  parseRuleFile,
  readRuleFile,
  RuleFileError,
} from "@devid/rules";
import { describe, expect, it } from "vitest";

const parse = (...lines: string[]) =>
  parseRuleFile(lines.join("\n"), "rules.yaml");

/** The problems of a file, as `line:column message`. */
function problems(...lines: string[]): string[] {
  try {
    parse(...lines);
  } catch (error) {
    if (error instanceof RuleFileError)
      return error.problems.map((p) => `${p.line}:${p.column} ${p.message}`);
    throw error;
  }
  return [];
}

const RULE = ["  - name: a", "    expression: 1 == 1", "    action: deny"];

describe("a rule file", () => {
  it("keeps the order of its rules, and fills in defaults", () => {
    expect(
      parse(
        "# our rules",
        "rules:",
        "  - name: block-crawlers # no bots",
        "    expression: http.user_agent.is_crawler_bot",
        "    action: deny",
        "    deny_with: Forbidden",
        "  - name: off",
        "    expression: |",
        '      origin == "https://a.example"',
        "    action: allow",
        "    status: disabled",
      ),
    ).toEqual([
      {
        name: "block-crawlers",
        expression: "http.user_agent.is_crawler_bot",
        action: "deny",
        status: "enabled",
        denyWith: "Forbidden",
      },
      {
        name: "off",
        expression: 'origin == "https://a.example"\n',
        action: "allow",
        status: "disabled",
      },
    ]);
  });

  it("may have no rules", () => {
    expect(parse("rules: []")).toEqual([]);
  });

  it("may be JSON", () => {
    const rules = [
      { name: "a", expression: "1 == 1", action: "allow", status: "enabled" },
    ];
    expect(parseRuleFile(JSON.stringify({ rules }), "rules.json")).toEqual(
      rules,
    );
  });

  it("may spell true and false without quotes", () => {
    const rule = (expression: string) =>
      parse(
        "rules:",
        "  - name: a",
        `    expression: ${expression}`,
        RULE[2] ?? "",
      );
    expect(rule("true")[0]?.expression).toBe("true");
    expect(rule("False")[0]?.expression).toBe("false");
    expect(rule('"true"')[0]?.expression).toBe("true");
  });

  it("is read from disk", () => {
    const folder = mkdtempSync(join(tmpdir(), "devid-rules-"));
    try {
      const file = join(folder, "rules.yaml");
      writeFileSync(file, ["rules:", ...RULE].join("\n"));
      expect(readRuleFile(file)).toHaveLength(1);
      expect(() => readRuleFile(join(folder, "none"))).toThrow("ENOENT");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** The blocks of `mistakes.txt`: what is wrong, the text of a file, and the problems. */
const mistakes = [
  ...readFileSync(join(__dirname, "mistakes.txt"), "utf8").matchAll(
    /^# (.*)\n([^]*?)((?:^=> .*\n)+)/gm,
  ),
].map(([, what = "", text = "", found = ""]) => ({ what, text, found }));

describe("a mistake in a rule file has its place", () => {
  it.each(mistakes)("$what", ({ text, found }) => {
    expect(
      problems(text.replace(/\n$/, ""))
        .map((one) => `=> ${one}\n`)
        .join(""),
    ).toBe(found);
  });

  it("and the message lists each mistake as file:line:column", () => {
    const lines = ["rules:", "  - name: a", "    action: no"];
    expect(() => parse(...lines)).toThrow(
      /^The rule file is not valid:\n {2}rules\.yaml:2:5 .+\n {2}rules\.yaml:3:13 .+$/,
    );
    expect(() => parse(...lines)).toThrow(DevidError);
  });
});

const RULES = [
  "rules:",
  "  - { name: bots, expression: http.user_agent.is_ai_bot, action: deny }",
];

const tests = (...lines: string[]) =>
  openRuleFile([...RULES, "tests:", ...lines].join("\n"), "f.yaml").tests;

const TEST = ["  - name: a", "    request: {}", "    expect: allow"];

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
