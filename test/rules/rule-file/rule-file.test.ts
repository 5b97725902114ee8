import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DevidError } from "@devid/sdk";
import {
  checkRuleFile,
  openRuleFile,
  parseRuleFile,
  readRuleFile,
  RuleFileError,
} from "@devid/rules";
import { describe, expect, it, vi } from "vitest";
import { folderForTests } from "../../helpers/test-folder";
import { cellsOf } from "../../helpers/cells-of";

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

const folder = folderForTests();

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

  it("may spell true and false without quotes", () => {
    const read = (expression: string) =>
      parse("rules:", ...RULE.with(1, `    expression: ${expression}`));
    expect(read("true")[0]?.expression).toBe("true");
    expect(read("False")[0]?.expression).toBe("false");
    expect(read('"true"')[0]?.expression).toBe("true");
  });

  it("is read from disk", () => {
    const file = join(folder, "rules.yaml");
    writeFileSync(file, ["rules:", ...RULE].join("\n"));
    expect(readRuleFile(file)).toHaveLength(1);
    expect(() => readRuleFile(join(folder, "none"))).toThrow("ENOENT");
  });
});

/** A mistake in a line of a rule or of a test, and where it is. */
const LINES = `
an empty expression | expression: "  " | 3:17 rules[0].expression: must not be empty
an empty name | name: "" | 2:11 rules[0].name: must not be empty
a name that is a number | name: 7 | 2:11 rules[0].name: must be a text; write it in quotes: "7"
an unknown action | action: refuse | 4:13 rules[0].action: must be one of allow, deny
an unknown status | status: on | 5:13 rules[0].status: must be one of enabled, disabled
an unknown deny_with | deny_with: Gone | 5:16 rules[0].deny_with: must be Forbidden
a field that does not exist | priority: 1 | 5:5 rules[0].priority: is not known
an expression that YAML reads as a tag and an anchor | expression: !a.b && c | 3:17 Unresolved tag: !a.b. A text that begins with "!" needs quotes.
no name | name: '' | 4:11 tests[0].name: must not be empty
an unknown part | not: 1 | 7:5 tests[0].not: is not known
an unknown part of the request | request: { user_agent: x } | 5:16 tests[0].request.user_agent: is not known; did you mean userAgent?
an invalid address | request: { ip: 10.0.0.300 } | 5:20 tests[0].request.ip: is no IP address
a version that YAML reads as a number | request: { sdkVersion: 3.1 } | 5:28 tests[0].request.sdkVersion: must be a text; write it in quotes: "3.1"
an unknown platform | request: { sdkPlatform: browser } | 5:29 tests[0].request.sdkPlatform: must be one of js, android, ios, unknown
a header that is a number | request: { headers: { A: 5 } } | 5:30 tests[0].request.headers.A: must be a text or a list of texts; write it in quotes: "5"
a flag that is a text | request: { isAiBot: 'yes' } | 5:25 tests[0].request.isAiBot: must be true or false
both bot flags, which no request has | request: { isAiBot: true, isCrawlerBot: true } | 5:45 tests[0].request.isCrawlerBot: no request is of an AI bot and of a crawler at once, so isAiBot and isCrawlerBot cannot both be true
a header that no request has | request: { headers: { 'a b': x } } | 5:34 tests[0].request.headers["a b"]: no header can be called so, so no request has it
an unknown result | expect: refuse | 6:13 tests[0].expect: must be allow, deny, { allow: RULE } or { deny: RULE }, with the name of a rule
two results | expect: { deny: bots, allow: bots } | 6:13 tests[0].expect: must be allow, deny, { allow: RULE } or { deny: RULE }, with the name of a rule
a list of rules | expect: { deny: [bots] } | 6:13 tests[0].expect: must be allow, deny, { allow: RULE } or { deny: RULE }, with the name of a rule
an unknown rule | expect: { deny: bot } | 6:21 tests[0].expect.deny: no rule of the file is named "bot"
`;

/** A rule and a test without a mistake; a line replaces the line of its field, or is the last. */
const FRAMES = [
  ["rules:", ...RULE],
  [
    ...[
      "rules:",
      "  - { name: bots, expression: http.user_agent.is_ai_bot, action: deny }",
    ],
    ...["tests:", "  - name: a", "    request: {}", "    expect: allow"],
  ],
];

function withLine(line: string, frame: readonly string[]): string {
  const field = line.slice(0, line.indexOf(":") + 1);
  const at = frame.findIndex((one) => one.slice(4).startsWith(field));
  if (at < 0) return [...frame, `    ${line}`].join("\n");
  return frame.with(at, `${frame[at]?.slice(0, 4)}${line}`).join("\n");
}

const mistakes = [
  // The blocks of `mistakes.txt`: what is wrong, the text of a file, and the problems.
  ...[
    ...readFileSync(join(__dirname, "mistakes.txt"), "utf8").matchAll(
      /^# (.*)\n([^]*?)((?:^=> .*\n)+)/gm,
    ),
  ].map(([, what = "", text = "", found = ""]) => ({ what, text, found })),
  ...cellsOf(LINES).map(([what = "", line = "", problem = ""]) => {
    const [ofRule = [], ofTest = []] = FRAMES;
    const text = withLine(line, problem.includes("tests[") ? ofTest : ofRule);
    return { what, text, found: `=> ${problem}\n` };
  }),
];

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

const tests = (...lines: string[]) =>
  openRuleFile([...(FRAMES[1] ?? []), ...lines].join("\n"), "f.yaml").tests;

it("the tests of a rule file are read into one form", () => {
  expect(
    tests(
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

it("refuses a key that is a map without a warning of Node", () => {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  try {
    expect(problems("rules:", ...RULE, "    ? {}", "    : x")).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
  } finally {
    warn.mockRestore();
  }
});

describe("a mistake elsewhere does not hide what lint says of a rule", () => {
  const rule = `  - name: old-apps
    expression: sdk.version < '3.9.0'
    action: deny
`;

  it.each([
    `${rule}    deny_with: Please update\n`,
    `${rule}    colour: red\n`,
    `${rule}  - { name: wrong, expression: sdk.versoin == '3', action: deny, deny_with: no }\n`,
    `${rule}colour: red\n`,
    `${rule}tests: none\n`,
    `${rule}lint: { version-order: loud }\n`,
  ])("%j", (rules) => {
    const found = checkRuleFile(`rules:\n${rules}`, "rules.yaml");
    const mistakes = found.filter(({ severity }) => severity === "error");
    expect(mistakes).toHaveLength(rules.includes("versoin") ? 2 : 1);
    expect(found.map(({ code }) => code)).toContain("version-order");
  });

  it("but a rule that cannot be read hides what is said of all", () => {
    const text = `rules:\n${rule}  - { name: other, action: deny }\n`;
    const codes = checkRuleFile(text, "rules.yaml").map(({ code }) => code);
    expect(codes).toEqual(["invalid-file"]);
  });
});
