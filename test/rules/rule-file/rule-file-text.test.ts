import {
  checkRuleFile,
  decodeRuleFile,
  formatRuleFile,
  isRuleFile,
  openRuleFile,
} from "@devid/rules";
import { describe, expect, it } from "vitest";

const RULE = [
  "rules:",
  "  - name: a",
  "    expression: sdk.version   ==   '1.0.0'",
  "    action: deny",
].join("\n");

const findings = (text: string) =>
  checkRuleFile(text, "rules.yaml").map(
    ({ code, line, column, message }) => `${line}:${column} ${code} ${message}`,
  );

describe("a rule file that is not UTF-8", () => {
  const latin = (text: string) => decodeRuleFile(Buffer.from(text, "latin1"));

  it.each([
    ["a byte", "rules: [] # ü", "1:13"],
    ["several", "# é\nrules: [] # äöü", "1:3"],
    ["in a row", "rules: []\n# äöü", "2:3"],
  ])("is an error at %s", (_, text, place) => {
    expect(findings(latin(text))).toEqual([
      `${place} invalid-file this is not UTF-8; save the file as UTF-8`,
    ]);
  });

  it("has an error whose column counts characters, with a frame", () => {
    const [finding] = checkRuleFile(
      latin(`${RULE} # `) + `\u{1f600} ü ${latin("\xff")}`,
      "rules.yaml",
    );
    expect(finding).toMatchObject({ line: 4, column: 24 });
    expect(finding?.frame).toContain("# \u{1f600} ü \ufffd");
  });

  it("is reported as UTF-16 if it begins like UTF-16", () => {
    const text = decodeRuleFile(Buffer.from(`\ufeff${RULE}`, "utf16le"));
    expect(findings(text)[0]).toMatch(
      /^1:1 invalid-file this is not UTF-8, but may be UTF-16/,
    );
  });

  it("is not one that has the character for such bytes", () => {
    const text = decodeRuleFile(Buffer.from(`${RULE} # \ufffd`));
    expect(openRuleFile(text, "rules.yaml").text).toBe(`${RULE} # \ufffd`);
  });

  it("is not formatted", () => {
    const text = latin(`${RULE} # ü`);
    expect(isRuleFile(text)).toBe(true);
    expect(() => formatRuleFile(openRuleFile(text, "rules.yaml"))).toThrow(
      "rules.yaml:4:20 this is not UTF-8",
    );
  });
});

it("a file whose lines end in a carriage return alone is told so", () => {
  expect(findings(RULE.replaceAll("\n", "\r"))).toEqual([
    "1:1 invalid-file the lines end in U+000D alone, which YAML does not read as the end of a line; save the file with LF or CRLF",
  ]);
  expect(findings(`rules: []\r`)).toHaveLength(1);
  expect(findings(`rules: []\r\n`)).toEqual([]);
});

it("a byte order mark is kept, and counts as no column", () => {
  const text = `\ufeff${RULE}`;
  const formatted = formatRuleFile(openRuleFile(text, "rules.yaml"));
  expect(formatted).toBe(`\ufeff${RULE.replace("   ==   ", " == ")}`);
  expect(findings("\ufeffrulez: []")).toEqual([
    "1:1 invalid-file rules: is required",
    "1:1 invalid-file rulez: is not known; did you mean rules?",
  ]);
  const [finding] = checkRuleFile(
    "\ufeff{ rules: [{ name: a, expression: x, action: deny }] }",
    "rules.yaml",
  );
  expect(finding).toMatchObject({ line: 1, column: 34 });
  expect(finding?.frame).toBe(
    "1 | { rules: [{ name: a, expression: x, action: deny }] }\n" +
      `  | ${" ".repeat(33)}^`,
  );
});

describe("a merge conflict", () => {
  const sides = `<<<<<<< HEAD\n${RULE}\n=======\n${RULE}\n>>>>>>> other`;

  it("is found between CRLF lines, and in a folder", () => {
    expect(findings(sides.replaceAll("\n", "\r\n"))).toHaveLength(1);
    expect(isRuleFile(sides)).toBe(true);
  });

  it("is not reported within a text or a comment", () => {
    expect(
      findings(`${RULE.replace("deny", "deny # <<<<<<< HEAD")}\n  # =======`),
    ).toEqual([]);
  });
});

const SHARED = [
  "x-office: &office",
  "  action: deny",
  "  deny_with: Forbidden",
  "rules:",
  "  - name: a",
  "    <<: *office",
  "    x-owner: security",
  "    expression: sdk.version   ==   '1.0.0'",
  "tests:",
  "  - name: t",
  "    x-ticket: 7",
  "    request: { headers: { x-a: b } }",
  "    expect: allow",
].join("\n");

it("anchors are merged by <<, also from own fields that begin with x-", () => {
  const { rules, tests } = openRuleFile(SHARED, "rules.yaml");
  expect(rules).toMatchObject([
    { name: "a", action: "deny", denyWith: "Forbidden", status: "enabled" },
  ]);
  expect(rules[0]).not.toHaveProperty("x-owner");
  expect(tests).toMatchObject([{ request: { headers: { "X-A": ["b"] } } }]);
});
