import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DevidError } from "@devid/sdk";
import { parseRuleFile, readRuleFile, RuleFileError } from "@devid/rules";
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

  it("may have no rules, but must say so", () => {
    expect(parse("rules: []")).toEqual([]);
    expect(problems("tests: []")).toHaveLength(1);
  });

  it("may be JSON", () => {
    const rules = [
      { name: "a", expression: "1 == 1", action: "allow", status: "enabled" },
    ];
    expect(parseRuleFile(JSON.stringify({ rules }), "rules.json")).toEqual(
      rules,
    );
    expect(
      problems(
        "{",
        '  "rules": [{ "name": "a", "action": "deny",',
        '    "expression": 5 }]',
        "}",
      ),
    ).toEqual([
      "3:19 rules[0].expression: must be an expression, which is a text",
    ]);
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
    const folder = mkdtempSync(path.join(tmpdir(), "devid-rules-"));
    try {
      const file = path.join(folder, "rules.yaml");
      writeFileSync(file, ["rules:", ...RULE].join("\n"));
      expect(readRuleFile(file)).toHaveLength(1);
      expect(() => readRuleFile(path.join(folder, "none"))).toThrow("ENOENT");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("a mistake in a rule file has its place", () => {
  const rules = (...lines: string[]) => problems("rules:", ...lines);

  it.each<[string, string[], RegExp[]]>([
    [
      "an empty file",
      problems(""),
      [/^1:1 the file is empty; it needs rules, a list, which may be \[\]$/],
    ],
    ["a list", problems("- a"), [/^1:1 the file needs rules, a list/]],
    ["a word", problems("rules"), [/^1:1 the file needs rules, a list/]],
    [
      "rules that are not a list",
      problems("rules: none"),
      [/^1:8 rules: must be a list$/],
    ],
    [
      "an unknown part",
      problems("", "rules: []", "rule: 1"),
      [/^3:1 rule: is not known$/],
    ],
    [
      "a rule that is a word",
      rules("  - a"),
      [/^2:5 rules\[0\]: must be an object$/],
    ],
    [
      "a missing expression",
      rules("  - name: a", "    action: deny"),
      [/^2:5 rules\[0\]\.expression: /],
    ],
    [
      "an empty expression",
      rules("  - name: a", '    expression: "  "', "    action: deny"),
      [/^3:17 rules\[0\]\.expression: must not be empty$/],
    ],
    [
      "an empty name",
      rules('  - name: ""', ...RULE.slice(1)),
      [/^2:11 rules\[0\]\.name: /],
    ],
    [
      "a name that is a number",
      rules("  - name: 7", ...RULE.slice(1)),
      [/^2:11 rules\[0\]\.name: must be a text$/],
    ],
    [
      "an unknown action",
      rules(...RULE.slice(0, 2), "    action: refuse"),
      [/^4:13 rules\[0\]\.action: must be one of allow, deny$/],
    ],
    [
      "an unknown status",
      rules(...RULE, "    status: on"),
      [/^5:13 rules\[0\]\.status: must be one of enabled, disabled$/],
    ],
    [
      "an unknown deny_with",
      rules(...RULE, "    deny_with: Gone"),
      [/^5:16 rules\[0\].deny_with: must be Forbidden$/],
    ],
    [
      "deny_with in an allow rule",
      rules(
        ...RULE.slice(0, 2),
        "    action: allow",
        "    deny_with: Forbidden",
      ),
      [/^5:16 rules\[0\].deny_with: needs action "deny"$/],
    ],
    [
      "a field that does not exist",
      rules(...RULE, "    priority: 1"),
      [/^5:5 rules\[0\]\.priority: is not known$/],
    ],
    [
      "several mistakes, in the order of the file",
      rules(
        "  - name: 7",
        "    expression: sdk.platform.is_ios",
        "    action: no",
        "  - b",
      ),
      [/^2:11 .*name/, /^4:13 .*action/, /^5:5 rules\[1\]/],
    ],
    [
      "several mistakes, not in the order of the fields",
      rules(
        "  - action: no",
        "    name: 7",
        "    expression: sdk.platform.is_ios",
      ),
      [/^2:13 .*action/, /^3:11 .*name/],
    ],
    ["invalid YAML", rules("  - name: [a", "    action: deny"), [/^\d+:\d+ /]],
    [
      "an expression that YAML reads as a tag and an anchor",
      rules("  - name: a", "    expression: !a.b && c", "    action: deny"),
      [/^3:17 Unresolved tag: !a\.b\. .*needs quotes/],
    ],
    [
      "an alias without an anchor",
      rules("  - &a", "  - *b"),
      [/^3:5 .*alias.*: b$/],
    ],
    ["a repeated key", rules(...RULE, "    action: allow"), [/^5:5 .*unique/]],
  ])("%s", (_, found, expected) => {
    expect(found).toHaveLength(expected.length);
    expected.forEach((pattern, index) => expect(found[index]).toMatch(pattern));
  });

  it("if a name is used twice, at the second use", () => {
    const second = RULE.map((line) => line.replace("1 == 1", "2 == 2"));
    expect(rules(...RULE, "  - name: b", ...RULE.slice(1), ...second)).toEqual([
      '8:11 rules[2].name: "a" is the name of rules[0], too; names are unique in a set',
    ]);
  });

  it("and the message lists each mistake as file:line:column", () => {
    const lines = ["rules:", "  - name: a", "    action: no"];
    expect(() => parse(...lines)).toThrow(
      /^The rule file is not valid:\n {2}rules\.yaml:2:5 .+\n {2}rules\.yaml:3:13 .+$/,
    );
    expect(() => parse(...lines)).toThrow(DevidError);
  });
});
