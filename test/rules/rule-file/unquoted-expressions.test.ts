import {
  checkExpression,
  checkRuleFile,
  formatExpression,
  formatRuleFile,
  openRuleFile,
  withBlocks,
} from "@devid/rules";
import { describe, expect, it } from "vitest";
import { textOf } from "../../helpers/repository";

const pasted = (expression: string) =>
  `rules:\n  - name: pasted # as it is\n    expression: ${expression}\n    action: deny\n`;

describe("an expression that YAML does not read as it is written", () => {
  it.each([
    "sdk.platform.is_ios ? sdk.platform.is_browser : http.user_agent.is_ai_bot",
    "'Origin' not in http.request.headers",
    "!sdk.platform.is_ios && sdk.platform.is_browser",
  ])("is a mistake at its place, with what to write: %s", (expression) => {
    const [finding, ...others] = checkRuleFile(pasted(expression), "r.yaml");
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: "invalid-file",
      line: 3,
      column: 17,
      message: expect.stringContaining("in a block (|-)") as string,
    });
  });

  it.each([
    ["a text of which a part is missing", "sdk.version == 'a' && # later"],
    ["an expression with a comment of YAML", "sdk.platform.is_ios # phones"],
    ["a text that is no expression", "'Origin' not in"],
  ])("stays as it is where the intent is not certain: %s", (_, expression) => {
    expect(withBlocks(pasted(expression))).toBe(pasted(expression));
  });

  it.each(["true", "false"])("is not %s, beside another mistake", (value) => {
    const text = pasted(value).replace("pasted", '"pasted');
    expect(checkRuleFile(text, "r.yaml")).toMatchObject([
      { line: 2, message: "this quote is not closed" },
    ]);
  });
});

/** The expressions on the page of the language, each as it is written there. */
const examples = [
  ...new Set(
    [...textOf("docs/rule-language.md").matchAll(/`([^`\n]+)`/g)]
      .map(([, code = ""]) => code.replaceAll("\\|", "|"))
      .filter((code) => checkExpression(code).ok),
  ),
].filter((code) => code !== "true" && code !== "false");

it("the page of the language has many examples", () => {
  expect(examples.length).toBeGreaterThan(30);
});

it.each(examples)(
  "is read, pasted by a person and formatted: %s",
  (example) => {
    const file = openRuleFile(withBlocks(pasted(example)), "r.yaml");
    const [rule] = openRuleFile(formatRuleFile(file), "r.yaml").rules;
    expect(rule?.expression.trim()).toBe(formatExpression(example));
  },
);
