import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openRuleFile } from "../../../rules/src/rule-file/rule-file";
import { RuleFileError } from "../../../rules/src/rule-file/rule-file-error";

const QUICKSTART = resolve(
  __dirname,
  "../../../examples/quickstart/rules.yaml",
);
const schema = JSON.parse(
  readFileSync(
    resolve(__dirname, "../../../rules/rule-file.schema.json"),
    "utf8",
  ),
) as { $schema: string; [name: string]: unknown };
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(
  schema,
);

function parses(text: string): boolean {
  try {
    openRuleFile(text, "rules.yaml");
    return true;
  } catch (error) {
    if (error instanceof RuleFileError) return false;
    throw error;
  }
}

const RULE = { name: "a", expression: "true", action: "deny" };
const TEST = { name: "t", request: {}, expect: "allow" };
const rule = (part: object) => ({ rules: [{ ...RULE, ...part }] });
const test = (part: object) => ({
  rules: [RULE],
  tests: [{ ...TEST, ...part }],
});

describe("the JSON schema of a rule file", () => {
  it("uses draft 7, which editors support best", () => {
    expect(schema.$schema).toBe("http://json-schema.org/draft-07/schema#");
  });

  it("describes every field", () => {
    const bare: string[] = [];
    const look = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === "properties")
          for (const [name, field] of Object.entries(value as object))
            if (!(field as { description?: string }).description)
              bare.push(`${path}/${name}`);
        look(value, `${path}/${key}`);
      }
    };
    look(schema, "");
    expect(bare).toEqual([]);
  });

  it("is the schema that the quickstart file names, and accepts that file", () => {
    const text = readFileSync(QUICKSTART, "utf8");
    const [, named = ""] =
      /^# yaml-language-server: \$schema=(.+)$/m.exec(text) ?? [];
    const found = resolve(dirname(QUICKSTART), named);
    expect(JSON.parse(readFileSync(found, "utf8"))).toEqual(schema);
    expect(validate(parse(text))).toBe(true);
  });

  it("is part of the package", () => {
    const { files } = JSON.parse(
      readFileSync(resolve(__dirname, "../../../rules/package.json"), "utf8"),
    ) as { files: string[] };
    expect(files).toContain("rule-file.schema.json");
  });

  it.each([
    ["nothing", {}, false],
    ["no rules", { rules: [] }, true],
    ["a rule", rule({}), true],
    ["a boolean expression", rule({ expression: true }), true],
    ["a number as an expression", rule({ expression: 1 }), false],
    ["a disabled rule", rule({ status: "disabled" }), true],
    ["an unknown status", rule({ status: "off" }), false],
    ["an unknown action", rule({ action: "refuse" }), false],
    ["an answer", rule({ deny_with: "Forbidden" }), true],
    ["an unknown answer", rule({ deny_with: "Gone" }), false],
    ["an unknown field", rule({ denyWith: "Forbidden" }), false],
    ["an empty name", rule({ name: "" }), false],
    ["your own field in a rule", rule({ "x-owner": ["web"] }), true],
    ["your own field in a test", test({ "x-ticket": 7 }), true],
    ["your own field", { "x-shared": {}, rules: [] }, true],
    ["your own field in a request", test({ request: { "x-a": "b" } }), false],
    ["headers", { rules: [], assume_not_sent: ["sec-ch-ua"] }, true],
    ["an invalid header name", { rules: [], assume_not_sent: ["a b"] }, false],
    [
      "a header that is not in a list",
      { rules: [], assume_not_sent: "Sec-Ch-Ua" },
      false,
    ],
    ["a test", test({}), true],
    ["a test without a request", test({ request: undefined }), false],
    [
      "a header that is a text",
      test({ request: { headers: { A: "b" } } }),
      true,
    ],
    [
      "a header that is a list",
      test({ request: { headers: { A: ["b"] } } }),
      true,
    ],
    [
      "a header that is a number",
      test({ request: { headers: { A: 1 } } }),
      false,
    ],
    ["an unknown platform", test({ request: { sdkPlatform: "web" } }), false],
    ["an unknown part of a request", test({ request: { agent: "x" } }), false],
    ["a flag", test({ request: { isAiBot: true } }), true],
    ["an expected rule", test({ expect: { deny: "a" } }), true],
    ["an unknown expectation", test({ expect: "refuse" }), false],
    ["two expectations", test({ expect: { deny: "a", allow: "a" } }), false],
  ])("agrees with the parser about %s", (_, content, expected) => {
    const text = JSON.stringify(content);
    expect(validate(JSON.parse(text))).toBe(expected);
    expect(parses(text)).toBe(expected);
  });
});
